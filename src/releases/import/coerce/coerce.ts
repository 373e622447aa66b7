import { CALENDAR_DATE, CODE, KNOWN_VALUES } from '../../../query/fields.ts'
import { LONGEST_VALUE } from '../../../sources/limits.ts'
import { isBlank, type SourceRow } from '../../../sources/source-row.ts'
import { createCache } from '../../../values/memoise.ts'
import { ownText, visibleText } from '../../../values/text.ts'
import {
  type Coerce,
  derivedFields,
  type FieldSchema,
  fieldSchemas,
  hasType,
  mayBeBlank,
  type Warn,
} from '../field-schema.ts'
import { attempt, type Importable, NO_VALUE, Rejection, throwTogether } from '../importable.ts'
import { coerceNumber } from './number.ts'
import { coerceList, coerceObject } from './structure.ts'
import {
  coerceCode,
  coerceEnumeration,
  coerceFlag,
  coerceId,
  coerceOpenEnumeration,
  coerceText,
  coerceUuid,
} from './text.ts'
import { coerceDate, coerceTimestamp } from './time.ts'

/** The separator of the items that a source has in one cell of a field. */
type SeparatorOf = (field: string) => string

/** Returns the coercion of a field's values, derived from its schema alone, so a dataset needs no code for it. */
export function coercerOf(schema: FieldSchema, name: string, separatorOf: SeparatorOf = () => ','): Coerce {
  const coerce = coercerOfFilled(schema, name, separatorOf)
  const coerceBlank = coercerOfBlank(schema)
  const has = (type: string) => hasType(schema, type)
  // A cell of JSON text may hold null instead of being blank.
  const isJson = has('object') || has('array')
  const isText = (has('string') || has('array')) && (schema.enum ?? schema.format) === undefined
  return (raw, field, warn) => {
    if (typeof raw !== 'string') return (isBlank(raw) ? coerceBlank : coerce)(raw, field, warn)
    if (raw.length > LONGEST_VALUE)
      throw new Rejection(field, raw, `has ${raw.length} characters; at most ${LONGEST_VALUE} are allowed`)
    const trimmed = raw.trim()
    const text = visibleText(trimmed)
    if (text !== trimmed) warn(field, raw, HIDDEN)
    if (text === '' || (isJson && text === 'null')) return coerceBlank(raw, field, warn)
    if (!isText || !NO_VALUE.test(text)) return coerce(text === trimmed ? raw : text, field, warn)
    if (!mayBeBlank(schema))
      throw new Rejection(field, raw, 'stands for "no value", but this field must have one')
    warn(field, raw, 'stands for "no value": published as blank')
    return coerceBlank(raw, field, warn)
  }
}

const HIDDEN = 'has no-break blanks (published as blanks) or invisible characters (left out)'

/** Far more than the largest dataset has distinct values and times. */
const MAX_CACHED = 65_536
const MAX_CACHED_LENGTH = 64

/** Caches slow coercions of repeated texts, except those that warn or reject, which must do so each time. */
function cached(coerce: Coerce): Coerce {
  const cache = createCache<string, string>({ maxEntries: MAX_CACHED, isAdaptive: true })
  return (raw, field, warn) => {
    if (typeof raw !== 'string' || raw.length > MAX_CACHED_LENGTH) return coerce(raw, field, warn)
    const known = cache.get(raw)
    if (known !== undefined) return known
    let hasWarned = false
    const value = coerce(raw, field, (...warning) => {
      hasWarned = true
      warn(...warning)
    })
    if (!hasWarned && typeof value === 'string') cache.set(ownText(raw), value)
    return value
  }
}

function coercerOfBlank(schema: FieldSchema): Coerce {
  if (hasType(schema, 'null')) return () => null
  if ('default' in schema) return () => structuredClone(schema.default)
  if (hasType(schema, 'array')) return () => []
  if (hasType(schema, 'boolean')) return () => false
  return (raw, field) => {
    throw new Rejection(field, raw, 'must not be blank')
  }
}

function coercerOfFilled(schema: FieldSchema, name: string, separatorOf: SeparatorOf): Coerce {
  const known = schema[KNOWN_VALUES]
  if (schema.enum !== undefined) return cached(coerceEnumeration(schema.enum))
  if (known !== undefined) return cached(coerceOpenEnumeration(known))
  if (hasType(schema, 'string')) {
    if (schema.format === 'date-time') return cached(schema[CALENDAR_DATE] ? coerceDate : coerceTimestamp)
    if (schema[CODE]) return coerceCode
    return schema.format === 'uuid' ? coerceUuid : coerceText(schema.pattern)
  }
  if (hasType(schema, 'number') || hasType(schema, 'integer')) return coerceNumber(schema, name)
  if (hasType(schema, 'boolean')) return coerceFlag
  if (hasType(schema, 'array') && schema.items) return coerceList(coercerOf(schema.items, name), separatorOf)
  if (hasType(schema, 'object') && schema.properties) {
    const members = Object.entries(schema.properties)
    const coercers = members.map(([member, its]) => [member, coercerOf(its, member, separatorOf)] as const)
    return coerceObject(coercers, hasType(schema, 'null'))
  }
  throw new Error(`field ${name}: a source cannot be coerced to ${JSON.stringify(schema)}`)
}

/** Returns the function that coerces a row to a record or throws {@link Rejection}. Derived fields may be undefined. */
export function recordCoercer(
  dataset: Pick<Importable, 'name' | 'record' | 'identity'>,
  separatorOf?: SeparatorOf,
): (values: SourceRow['values'], warn: Warn) => Record<string, unknown> {
  const derived = derivedFields(dataset)
  const fields = fieldSchemas(dataset.record).map(([name, schema]) => ({
    name,
    coerce:
      name === 'id' && dataset.identity.kind === 'uuid'
        ? coerceId(dataset.name)
        : coercerOf(schema, name, separatorOf),
    mayBeAbsent: derived.has(name),
  }))
  return (values, warn) => {
    const record: Record<string, unknown> = {}
    const rejections: Rejection[] = []
    let at = 0
    for (const { name, coerce, mayBeAbsent } of fields) {
      const raw = values[at++]
      record[name] =
        mayBeAbsent && isBlank(raw) ? undefined : attempt(rejections, () => coerce(raw, name, warn))
    }
    throwTogether(rejections)
    if (values.every(isBlank)) throw new Rejection(null, null, 'has no values')
    return record
  }
}
