import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { CALENDAR_DATE, CODE, KNOWN_VALUES } from '../../../query/fields.ts'
import type { StoredRecord } from '../../../query/query.ts'
import { parsed } from '../../../sources/json.ts'
import { DEEPEST, LONGEST_VALUE, MOST_ITEMS } from '../../../sources/limits.ts'
import type { SourceOptions } from '../../../sources/source-options.ts'
import { isBlank, Refusal, type SourceRow } from '../../../sources/source-row.ts'
import { createCache } from '../../../values/memoise.ts'
import { ownText, visibleText } from '../../../values/text.ts'
import { isObject } from '../../../values/values.ts'
import { createIdentify } from '../identity.ts'
import {
  attempt,
  blankOf,
  type Coerce,
  derivedFields,
  type FieldSchema,
  fieldSchemas,
  hasType,
  type Importable,
  NO_VALUE,
  Rejection,
  throwTogether,
  type Warn,
} from '../importable.ts'
import {
  coerceCode,
  coerceDate,
  coerceEnumeration,
  coerceFlag,
  coerceId,
  coerceNumber,
  coerceText,
  coerceTimestamp,
  coerceUuid,
} from './values.ts'

/** The separator of list items in one cell of a field. */
type SeparatorOf = (field: string) => string

/** Returns the coercion of a field's values, derived from its schema alone, so a dataset needs no code for it. */
export function coercerOf(schema: FieldSchema, name: string, separatorOf: SeparatorOf = () => ','): Coerce {
  const coerce = coercerOfFilled(schema, name, separatorOf)
  const makeBlank = blankOf(schema)
  const has = (type: string) => hasType(schema, type)
  // A cell of JSON text may hold null instead of being blank.
  const isJson = has('object') || has('array')
  const coerceBlank: Coerce = (raw, field) => {
    if (makeBlank === undefined) throw new Rejection(field, raw, 'must not be blank')
    return makeBlank()
  }
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
    if (makeBlank === undefined)
      throw new Rejection(field, raw, 'stands for "no value", but this field must have one')
    warn(field, raw, 'stands for "no value": published as blank')
    return coerceBlank(raw, field, warn)
  }
}

const HIDDEN = 'has no-break blanks (published as blanks) or invisible characters (left out)'

/** Far more than the distinct values and times of the largest dataset. */
const MAX_CACHED = 65_536
const MAX_CACHED_LENGTH = 64

/** Caches slow coercions of repeated texts, except warnings and rejections: they must occur each time. */
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

function coercerOfFilled(schema: FieldSchema, name: string, separatorOf: SeparatorOf): Coerce {
  const listed = schema.enum ?? schema[KNOWN_VALUES]
  if (listed !== undefined) return cached(coerceEnumeration(listed, schema.enum === undefined))
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

/** Coerces a list, a list as JSON text, items between separators, or an object that marks items: `{"GLASS": true}`. */
function coerceList(item: Coerce, separatorOf: SeparatorOf): Coerce {
  return (raw, field, warn) => {
    const items = itemsOf(raw, field, separatorOf)
    if (items.length > MOST_ITEMS)
      throw new Rejection(field, raw, `has ${items.length} items; at most ${MOST_ITEMS} are allowed`)
    return items.map(one => item(one, field, warn))
  }
}

function itemsOf(raw: unknown, field: string, separatorOf: SeparatorOf): readonly unknown[] {
  const value = readJson(raw, '[', field)
  // An object, or a column for each item: the items are the marked names.
  if (isObject(value))
    return Object.keys(value).filter(
      name => !isBlank(value[name]) && coerceFlag(value[name], `${field}.${name}`),
    )
  if (typeof value === 'string') return value.split(separatorOf(field)).filter(part => !isBlank(part))
  if (!Array.isArray(value)) throw new Rejection(field, raw, 'must be a list')
  return value
}

/**
 * Coerces an object, or an object as JSON text. Other text is the object's `name`: an owner known only by name has a
 * null id (design 7). Members outside the schema are omitted. If the field may be null, an object with only null
 * members becomes null: a flat table cannot show the difference.
 */
function coerceObject(
  members: readonly (readonly [name: string, coerce: Coerce])[],
  isNullable: boolean,
): Coerce {
  const hasName = members.some(([name]) => name === 'name')
  return (raw, field, warn) => {
    const value = readJson(raw, '{', field)
    const given = typeof value === 'string' && hasName ? { name: value } : value
    if (!isObject(given)) throw new Rejection(field, raw, 'must be an object')
    const memberOf = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined)
    const found: Rejection[] = []
    const coerced = members.map(([name, coerce]) => {
      return [name, attempt(found, () => coerce(memberOf(name), `${field}.${name}`, warn))] as const
    })
    throwTogether(found)
    return isNullable && coerced.every(([, member]) => member === null) ? null : Object.fromEntries(coerced)
  }
}

/** Parses the JSON text of a cell that starts with the bracket; else returns the value itself, text trimmed. */
function readJson(raw: unknown, bracket: '[' | '{', field: string): unknown {
  if (typeof raw !== 'string') return raw
  const text = raw.trim()
  if (!text.startsWith(bracket)) return text
  const value = parsed(text)
  if (value === undefined) throw new Rejection(field, raw, `starts like JSON with ${bracket} but is not JSON`)
  if (isDeeper(value, DEEPEST))
    throw new Rejection(field, raw, `is nested more than ${DEEPEST} deep, which is the most allowed`)
  return value
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some(inner => isDeeper(inner, depth - 1))
}

type Separator = NonNullable<SourceOptions['listSeparator']>

/** The separator that is least likely to be part of an item comes first. */
const SEPARATORS: readonly Separator[] = ['|', ';', ',']
const USUAL: Separator = ','

/** The most cells of a field that are weighed: after them the separator is known. */
const MOST_WEIGHED = 1000

/**
 * Finds the separator of each list field: the separator in its cells that leaves the fewest items unknown. So an item
 * may contain a comma if the list uses another separator.
 */
export function createListSeparators({ record }: Pick<Importable, 'record'>, chosen?: Separator) {
  if (chosen !== undefined) return { weigh() {}, separatorOf: () => chosen }
  const fields = fieldSchemas(record).flatMap(([name, { items, ...schema }], place) =>
    hasType(schema, 'array') && items
      ? [{ name, place, weights: createWeights(coercerOf(items, name)) }]
      : [],
  )
  const found = new Map<string, Separator>()
  return {
    /**
     * Weighs a batch of rows before its lists are split. Throws {@link Refusal} if the earlier rows of a field were
     * split by another separator.
     */
    weigh(rows: readonly SourceRow[]): void {
      for (const { name, place, weights } of fields) {
        for (const { values } of rows) weights.add(values[place])
        const before = found.get(name)
        const now = weights.lightest()
        if (now === undefined || now === before) continue
        found.set(name, now)
        if (before === undefined) continue
        const row = rows.find(({ values }) => String(values[place]).includes(now))
        throw new Refusal(
          `the items of ${name} are separated by "${before}" at first, but by "${now}" on line ${row?.line}; say which is right with --list-separator`,
        )
      }
    },
    separatorOf: (field: string) => found.get(field) ?? USUAL,
  }
}

/** Counts the items that each separator would leave unknown. */
function createWeights(item: Coerce) {
  const unknown = new Map<Separator, number>()
  let met: readonly Separator[] = []
  let weighed = 0
  return {
    add(cell: unknown): void {
      if (typeof cell !== 'string' || cell.length > LONGEST_VALUE || weighed >= MOST_WEIGHED) return
      const isMet = (separator: Separator) => met.includes(separator) || cell.includes(separator)
      // JSON needs no separator.
      if (cell.trimStart().startsWith('[') || !SEPARATORS.some(separator => cell.includes(separator))) return
      weighed++
      met = SEPARATORS.filter(isMet)
      for (const separator of SEPARATORS) {
        const items = cell.split(separator, MOST_ITEMS).filter(part => !isBlank(part))
        const strange = items.filter(part => !isSound(part, item)).length
        unknown.set(separator, (unknown.get(separator) ?? 0) + strange)
      }
    },
    lightest(): Separator | undefined {
      const weight = (separator: Separator) => unknown.get(separator) ?? 0
      return met.toSorted((a, b) => weight(a) - weight(b))[0]
    },
  }
}

/** Whether a value is coerced without a warning or rejection. */
export function isSound(value: unknown, coerce: Coerce): boolean {
  let hasWarned = false
  const found: Rejection[] = []
  attempt(found, () =>
    coerce(value, '', () => {
      hasWarned = true
    }),
  )
  return !hasWarned && found.length === 0
}

/**
 * Returns the functions that convert rows of a source to records with their keys, complete except for `createdAt`.
 * `weigh` looks at a batch first, and throws {@link Refusal} if the batch contradicts earlier batches. `toRecord`
 * throws {@link Rejection} for an invalid row. A missing list separator is found from the rows.
 */
export function rowConverter(dataset: Importable, listSeparator?: Separator) {
  const { weigh, separatorOf } = createListSeparators(dataset, listSeparator)
  const { transform = (record: StoredRecord) => record } = dataset
  const identify = createIdentify(dataset)
  const derived = derivedFields(dataset)
  const fields = fieldSchemas(dataset.record).map(([name, schema]) => ({
    name,
    coerce:
      name === 'id' && dataset.identity.kind === 'uuid'
        ? coerceId(dataset.name)
        : coercerOf(schema, name, separatorOf),
    mayBeAbsent: derived.has(name),
  }))
  return {
    weigh,
    toRecord({ fault, values }: SourceRow, warn: Warn) {
      if (fault !== undefined) throw new Rejection(fault.column, fault.value, fault.reason)
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
      return identify(transform(record), warn)
    },
  }
}

/**
 * Puts a record's fields in the schema's order and validates it against the whole schema, after coercion and the
 * dataset's own transformation. Throws {@link Rejection}.
 */
export function recordFinisher(dataset: Pick<Importable, 'record'>): (record: StoredRecord) => StoredRecord {
  const fields = fieldSchemas(dataset.record)
  const slow = fields.flatMap(([name, schema]) =>
    schema.format === undefined ? [] : [{ name, fits: cachedCheck(schema) }],
  )
  const fast = Compile(
    Type.Object(Object.fromEntries(fields.filter(([, { format }]) => format === undefined))),
  )
  const check = Compile(dataset.record)
  return record => {
    const names = Object.keys(record)
    const isInOrder = names.length === fields.length && fields.every(([name], at) => name === names[at])
    const finished = isInOrder ? record : Object.fromEntries(fields.map(([name]) => [name, record[name]]))
    const fits = fast.Check(finished) && slow.every(({ name, fits }) => fits(finished[name]))
    if (fits || check.Check(finished)) return finished
    const [first] = check.Errors(finished)
    const field = first?.instancePath.slice(1).replaceAll('/', '.') || null
    throw new Rejection(
      field,
      null,
      `does not match the schema of the dataset: ${first?.message ?? 'unknown'}`,
    )
  }
}

/** Validates a field with a format. This is slow, so valid texts are cached. */
function cachedCheck(schema: FieldSchema): (value: unknown) => boolean {
  const check = Compile(schema)
  const passed = createCache<string, true>({ maxEntries: 65_536, isAdaptive: true })
  return value => {
    if (typeof value !== 'string') return check.Check(value)
    if (passed.get(value)) return true
    const fits = check.Check(value)
    if (fits) passed.set(value, true)
    return fits
  }
}
