import { columnOf, type TableLayout } from '../../query/layout.ts'
import type { TableData } from '../indexes/table-data.ts'
import { openFields } from './fields.ts'
import { renderPrerendered } from './prerendered-rows.ts'
import { asBytes, type RenderRows } from './texts.ts'

/** Opens the renderers of a table: of whole rows, or of some fields. Throws RangeError for a field that is missing. */
export function openRows(layout: TableLayout, data: TableData): (fields?: readonly string[]) => RenderRows {
  const { columns } = layout
  const field = openFields(layout, data)
  const assemble = (names: readonly string[]): RenderRows => {
    const chosen = columns.filter(({ name }) => names.includes(name))
    const fields = chosen.map((column, i) => field(column, i === 0))
    return (rows, before, after, separator = ',') => {
      let text = asBytes(before)
      for (let i = 0; i < rows.length; i++) {
        text += i === 0 ? '' : separator
        for (let at = 0; at < fields.length; at++)
          text += (fields[at] as (row: number) => string)(rows[i] as number)
        text += '}'
      }
      return Buffer.from(text + asBytes(after), 'latin1')
    }
  }
  const whole =
    data.prerendered === undefined
      ? assemble(columns.map(({ name }) => name))
      : renderPrerendered(layout, data.prerendered)
  return names => {
    if (names === undefined) return whole
    for (const name of names) columnOf(layout, name)
    return assemble(names)
  }
}
