import type { StoredRecord } from '../../../query/query.ts'
import type { Cell } from '../../encoding/cells.ts'
import type { Layout } from '../../layout.ts'
import type { Database } from '../driver.ts'
import { documentsSchema } from './documents-schema.ts'
import { tableSchema } from './table-schema.ts'

/** How a release file stores the records of a layout. Created anew for each release. */
export interface PhysicalSchema {
  /** The columns of a record, declared as in `create table`. */
  readonly declarations: readonly string[]
  cells(record: StoredRecord, content: string): Cell[]
  /** The steps that build the release from `aside.appended` (position, key, digest and the columns), in order. */
  readonly finish: readonly ((database: Database) => void)[]
}

export function physicalSchema(layout: Layout): PhysicalSchema {
  return layout.kind === 'table' ? tableSchema(layout) : documentsSchema()
}
