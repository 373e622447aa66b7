import type { TableLayout } from '../../store/layout.ts'
import type { Parts } from '../indexes/table-data.ts'
import { looseRows } from './assembled-rows.ts'
import { readyRows } from './prerendered-rows.ts'

/** Gives rows as JSON, joined by commas, between two texts. */
export type Rows = (rows: Uint32Array, before: string, after: string) => Buffer

/** Opens the rows in the way that they are kept. */
export function openRows(layout: TableLayout, parts: Parts): Rows {
  const { content } = parts
  return content.kind === 'ready' ? readyRows(layout, content) : looseRows(layout, { ...parts, content })
}
