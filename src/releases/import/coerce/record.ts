import type { SourceRow } from '../../../sources/row.ts'
import { derivedFields, fieldsOf } from '../field-schema.ts'
import type { Importable } from '../importable.ts'
import { Rejection } from '../importable.ts'
import { isBlank } from './blank.ts'
import { conformer, type Warn } from './coerce.ts'

/** Makes a record of what a source has, field by field, or throws {@link Rejection}. Derived fields may be undefined. */
export function recordConformer(
  dataset: Pick<Importable, 'record' | 'layout' | 'identity'>,
): (values: SourceRow['values'], warn: Warn) => Record<string, unknown> {
  const derived = derivedFields(dataset)
  const { layout } = dataset
  const days = new Set(
    layout.kind === 'table' ? layout.columns.filter(c => c.type === 'day').map(c => c.name) : [],
  )
  const fields = fieldsOf(dataset.record).map(([name, schema]) => ({
    name,
    conform: conformer(schema, name, { day: days.has(name) }),
    mayBeAbsent: derived.has(name),
  }))
  return (values, warn) => {
    const record: Record<string, unknown> = {}
    let at = 0
    for (const { name, conform, mayBeAbsent } of fields) {
      const raw = values[at++]
      record[name] = mayBeAbsent && isBlank(raw) ? undefined : conform(raw, name, warn)
    }
    if (values.every(isBlank)) throw new Rejection(null, null, 'gives no field a value')
    return record
  }
}
