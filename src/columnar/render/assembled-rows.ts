import type { TableLayout } from '../../store/layout.ts'
import { fieldsOf, joinFields, type LooseParts } from './fields.ts'
import type { Rows } from './rows.ts'
import { asBytes } from './texts.ts'

/** Puts rows together from their fields. */
export function looseRows(layout: TableLayout, parts: LooseParts): Rows {
  const fields = fieldsOf(layout, parts)
  return (rows, before, after) => {
    let text = asBytes(before)
    for (let i = 0; i < rows.length; i++)
      text += `${i === 0 ? '' : ','}${joinFields(fields, rows[i] as number)}}`
    return Buffer.from(text + asBytes(after), 'latin1')
  }
}
