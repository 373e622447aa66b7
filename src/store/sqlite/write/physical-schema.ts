import type { StoredRecord } from '../../../query/query.ts'
import type { Cell } from '../../encoding/cells.ts'
import type { Layout } from '../../layout.ts'
import type { Database } from '../driver.ts'
import { documentsSchema } from './documents-schema.ts'
import { tableSchema } from './table-schema.ts'

/** How the records of a layout lie in a release file. Made anew for each release that is written. */
export interface PhysicalSchema {
  /** The columns of a record, declared as in `create table`. */
  readonly declarations: readonly string[]
  cells(record: StoredRecord, content: string): Cell[]
  /** Steps that make the release out of `aside.appended` (position, key, digest and the columns), one after another. */
  readonly finish: readonly ((database: Database) => void)[]
}

export function physicalSchema(layout: Layout): PhysicalSchema {
  return layout.kind === 'table' ? tableSchema(layout) : documentsSchema()
}
