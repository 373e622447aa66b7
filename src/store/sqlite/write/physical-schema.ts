import type { StoredRecord } from '../../../query/query.ts'
import type { Cell } from '../../encoding/cells.ts'
import type { Layout } from '../../layout.ts'
import type { Database } from '../driver.ts'
import { documentsShape } from './documents-schema.ts'
import { tableShape } from './table-schema.ts'

/** How the records of a layout lie in a release file. Made anew for each release that is written. */
export interface Shape {
  /** The columns of a record, declared as in `create table`. */
  readonly declarations: readonly string[]
  cells(record: StoredRecord, content: string): Cell[]
  /** Steps that make the release out of `aside.appended` (position, key, digest and the columns), one after another. */
  readonly finish: readonly ((database: Database) => void)[]
}

export function shapeOf(layout: Layout): Shape {
  return layout.kind === 'table' ? tableShape(layout) : documentsShape()
}
