import type { Client } from 'pg'
import type { Cell } from '../cells.ts'
import type { Layout, StoredRecord } from '../layout.ts'
import { documentsShape } from './documents-shape.ts'
import type { ReleaseTables } from './release-tables.ts'
import { tableShape } from './table-shape.ts'

/** How the records of a layout lie in the tables of a release. Made anew for each release that is written. */
export interface Shape {
  /** The columns of a record, declared as in `create table`. */
  readonly declarations: readonly string[]
  cells(record: StoredRecord, content: string): Cell[]
  /** Makes the release out of its table `appended` (position, key, digest and the columns); gives those of its parts that are still to be vacuumed. */
  finish(client: Client, tables: ReleaseTables): Promise<string[]>
}

export function shapeOf(layout: Layout): Shape {
  return layout.kind === 'table' ? tableShape(layout) : documentsShape()
}
