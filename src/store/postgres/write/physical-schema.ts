import type { Client } from 'pg'
import type { Layout } from '../../layout.ts'
import { documentsSchema } from './documents-schema.ts'
import type { Dictionaries } from './record-encoder.ts'
import type { ReleaseTables } from './release-tables.ts'
import { tableSchema } from './table-schema.ts'
import type { WorkerConnections } from './worker-connections.ts'

/** How the tables of a release store the records of a layout. */
export interface PhysicalSchema {
  /** The columns of a record, declared as in `create table`. */
  readonly declarations: readonly string[]
  /**
   * Builds the tables in served order from the table `appended` (position, key, digest and the columns); resolves to
   * the number of records.
   */
  arrange(client: Client, tables: ReleaseTables): Promise<number>
  /** Creates indexes and rollups; resolves to the tables that still need a vacuum. */
  finish(workers: WorkerConnections, tables: ReleaseTables, arranged: Arranged): Promise<string[]>
}

export interface Arranged {
  readonly rows: number
  readonly dictionaries: Dictionaries
}

export function physicalSchema(layout: Layout): PhysicalSchema {
  return layout.kind === 'table' ? tableSchema(layout) : documentsSchema()
}
