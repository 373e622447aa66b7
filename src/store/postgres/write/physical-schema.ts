import type { Client } from 'pg'
import type { Layout } from '../../layout.ts'
import { documentsShape } from './documents-schema.ts'
import type { Dictionaries } from './record-encoder.ts'
import type { ReleaseTables } from './release-tables.ts'
import { tableShape } from './table-schema.ts'
import type { Lanes } from './worker-connections.ts'

/** How the records of a layout lie in the tables of a release. */
export interface Shape {
  /** The columns of a record, declared as in `create table`. */
  readonly declarations: readonly string[]
  /**
   * Brings the records of the table `appended` (position, key, digest and the columns) into the order in which they are
   * served; gives how many they are.
   */
  arrange(client: Client, tables: ReleaseTables): Promise<number>
  /** Makes what finds and counts them; gives those of the release's parts that are still to be vacuumed. */
  finish(lanes: Lanes, tables: ReleaseTables, arranged: Arranged): Promise<string[]>
}

export interface Arranged {
  readonly rows: number
  readonly dictionaries: Dictionaries
}

export function shapeOf(layout: Layout): Shape {
  return layout.kind === 'table' ? tableShape(layout) : documentsShape()
}
