import { isBlank } from '../../../sources/blank.ts'
import type { SourceRow } from '../../../sources/row.ts'
import { derivedFields, fieldsOf } from '../field-schema.ts'
import { type Importable, Rejection } from '../importable.ts'
import { coercerOf, type Warn } from './coerce.ts'

/** Returns the function that coerces a row to a record or throws {@link Rejection}. Derived fields may be undefined. */
export function recordCoercer(
  dataset: Pick<Importable, 'record' | 'identity'>,
): (values: SourceRow['values'], warn: Warn) => Record<string, unknown> {
  const derived = derivedFields(dataset)
  const fields = fieldsOf(dataset.record).map(([name, schema]) => ({
    name,
    coerce: coercerOf(schema, name),
    mayBeAbsent: derived.has(name),
  }))
  return (values, warn) => {
    const record: Record<string, unknown> = {}
    let at = 0
    for (const { name, coerce, mayBeAbsent } of fields) {
      const raw = values[at++]
      record[name] = mayBeAbsent && isBlank(raw) ? undefined : coerce(raw, name, warn)
    }
    if (values.every(isBlank)) throw new Rejection(null, null, 'gives no field a value')
    return record
  }
}
