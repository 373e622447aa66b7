import type { Client } from 'pg'
import type { Layout } from '../../layout.ts'
import { documentsSchema } from './documents-schema.ts'
import type { Dictionaries } from './record-encoder.ts'
import type { ReleaseTables } from './release-tables.ts'
import { tableSchema } from './table-schema.ts'
import type { WorkerConnections } from './worker-connections.ts'

/** How the records of a layout lie in the tables of a release. */
export interface PhysicalSchema {
  /** The columns of a record, declared as in `create table`. */
  readonly declarations: readonly string[]
  /**
   * Brings the records of the table `appended` (position, key, digest and the columns) into the order in which they are
   * served; gives how many they are.
   */
  arrange(client: Client, tables: ReleaseTables): Promise<number>
  /** Makes what finds and counts them; gives those of the release's parts that are still to be vacuumed. */
  finish(workers: WorkerConnections, tables: ReleaseTables, arranged: Arranged): Promise<string[]>
}

export interface Arranged {
  readonly rows: number
  readonly dictionaries: Dictionaries
}

export function physicalSchema(layout: Layout): PhysicalSchema {
  return layout.kind === 'table' ? tableSchema(layout) : documentsSchema()
}
