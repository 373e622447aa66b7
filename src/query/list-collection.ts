import type { TObject } from 'typebox'
import { isDate } from '../values/dates.ts'
import { fold } from '../values/text.ts'
import { type Field, fieldsOf } from './fields.ts'
import { distanceMetres, hasGeometry, isInBox, pointOf } from './geometry.ts'
import { byKeys, compareGroups, type FieldOf, requireOrder } from './order.ts'
import { provenanceIn } from './provenance.ts'
import {
  type Area,
  type Collection,
  type CountKey,
  type DatePartKey,
  datePart,
  type EqualsFilter,
  type Filter,
  type Group,
  heldGroups,
  heldResult,
  type RangeFilter,
  type Selection,
  type StoredRecord,
  type Value,
  type WordsFilter,
} from './query.ts'
import { wordsOf } from './words.ts'

/** Executes queries over records in memory, for datasets of some thousand records. `records` are in served order. */
export function listCollection(
  records: readonly StoredRecord[],
  schema: TObject,
  provenanceOf = provenanceIn({}),
): Collection {
  const fields = new Map(fieldsOf(schema).map(field => [field.name, field]))
  const fieldOf: FieldOf = name => {
    const field = fields.get(name)
    if (field === undefined) throw new RangeError(`there is no field "${name}"`)
    return field
  }

  function select({ filters = [], place }: Selection): readonly StoredRecord[] {
    const predicates = filters.map(filter => predicateOf(filter, fieldOf))
    const found =
      predicates.length === 0 ? records : records.filter(record => predicates.every(meets => meets(record)))
    if (place === undefined) return found
    if (!hasGeometry(schema)) throw new RangeError('the records have no coordinates')
    return atPlace(found, place)
  }

  return {
    execute({ sort = [], offset = 0, limit = records.length, fields: names, provenance, ...selection }) {
      const selected = select(selection)
      const sorted = sort.length === 0 ? selected : selected.toSorted(byKeys(sort, fieldOf))
      const page = sorted.slice(offset, offset + limit)
      const pick = names === undefined ? undefined : picking(names.map(fieldOf))
      const shown = pick === undefined ? page : page.map(pick)
      if (!provenance) return heldResult(selected.length, shown)
      const told = shown.map((record, at) => ({ ...record, provenance: provenanceOf(page[at]?.id, record) }))
      return heldResult(selected.length, told)
    },
    count: ({ by, of = [], ...selection }) =>
      heldGroups(countRecords(select(selection), by, of.map(fieldOf), fieldOf)),
  }

  /** Picks fields, in the order of the schema, and keeps the distance. */
  function picking(picked: readonly Field[]) {
    const shown = [...fields.values()].filter(field => picked.includes(field)).map(({ name }) => name)
    return (record: StoredRecord): StoredRecord => {
      const names = DISTANCE in record ? [...shown, DISTANCE] : shown
      return Object.fromEntries(names.map(name => [name, record[name]]))
    }
  }
}

type Predicate = (record: StoredRecord) => boolean

/** The predicate of a filter. Throws RangeError if a field does not exist or does not support the filter. */
function predicateOf(filter: Filter, fieldOf: FieldOf): Predicate {
  if ('words' in filter) return holdingWords(filter, fieldOf)
  const field = fieldOf(filter.field)
  const { name } = field
  const test = testOf(field, filter)
  if (test === undefined) throw new RangeError(`field "${name}" cannot be filtered like that`)
  return record => test(record[name])
}

/** Matches records with each word in any of the fields; different words may be in different fields. */
function holdingWords({ words, fields }: WordsFilter, fieldOf: FieldOf): Predicate {
  const wanted = wordsOf(words)
  const readers = fields.map(name => searchedTextOf(fieldOf(name)))
  return record => {
    const texts = readers.map(read => read(record))
    return wanted.every(word => texts.some(text => text.includes(word)))
  }
}

function testOf(
  field: Field,
  filter: Exclude<Filter, WordsFilter>,
): ((value: unknown) => boolean) | undefined {
  const { kind } = field
  if ('contains' in filter) return kind === 'text' ? containing(filter.contains) : undefined
  return 'equals' in filter ? equalTo(field, filter) : inRange(kind, filter)
}

function containing(text: string) {
  const part = fold(text)
  return (value: unknown) => typeof value === 'string' && fold(value).includes(part)
}

function equalTo({ kind, synonyms = [] }: Field, { equals }: EqualsFilter) {
  if (typeof equals === (kind === 'flag' ? 'boolean' : kind)) return (value: unknown) => value === equals
  if (typeof equals === 'number' || typeof equals === 'boolean') return undefined
  const meant = [equals].flat().flatMap(text => {
    const folded = fold(text)
    return synonyms.find(group => group.some(value => fold(value) === folded)) ?? folded
  })
  const wanted = new Set(meant.map(fold))
  const isWanted = (value: unknown) => typeof value === 'string' && wanted.has(fold(value))
  if (kind === 'text' || kind === 'digest') return isWanted
  return kind === 'list' ? (value: unknown) => Array.isArray(value) && value.some(isWanted) : undefined
}

function inRange(kind: Field['kind'], { from, to }: RangeFilter) {
  const isDated = kind === 'date' || kind === 'timestamp'
  const hasEnds = [from, to].every(
    end => end === undefined || (isDated ? isDate(String(end)) : typeof end === 'number'),
  )
  if (!hasEnds || (kind !== 'number' && !isDated)) return undefined
  return (value: unknown) => {
    if (value === null) return false
    const compared = isDated ? String(value).slice(0, 10) : Number(value)
    return (from === undefined || compared >= from) && (to === undefined || compared <= to)
  }
}

/** The records that match a geographical filter. With a point: nearest first, each with its distance as `distanceMetres`. */
function atPlace(records: readonly StoredRecord[], { box, near, orUnknown }: Area): readonly StoredRecord[] {
  const found = records.flatMap(record => {
    const point = pointOf(record)
    if (point === undefined) return orUnknown && near === undefined ? [{ record, distance: 0 }] : []
    if (box !== undefined && !isInBox(point, box)) return []
    const distance = near === undefined ? 0 : distanceMetres(near, point)
    return distance > (near?.radiusMetres ?? Number.POSITIVE_INFINITY) ? [] : [{ record, distance }]
  })
  if (near === undefined) return found.map(({ record }) => record)
  return found
    .sort((one, other) => one.distance - other.distance)
    .map(({ record, distance }) => ({ ...record, [DISTANCE]: Math.round(distance) }))
}

/** The name of the distance in records found near a point. No field has this name. */
export const DISTANCE = 'distanceMetres'

/** Elements that do not end a word. */
const INLINE_TAG = /<\/?(?:a|b|em|i|strong|sub|sup|u)\b[^<>]*>/g

/** Other elements, and the character references that every HTML text needs. */
const BREAK = /<[^<>]*>|&(?:amp|lt|gt|quot);/g

/** Folded texts by record, kept while the record is served: folding a thousand documents takes a quarter of a second. */
const textsOf = new WeakMap<StoredRecord, Map<string, string>>()

/**
 * Reads the folded text of a field, to search it for words; from HTML only the visible text. Throws RangeError for a field
 * that holds no text.
 */
function searchedTextOf({ name, kind, isHtml }: Field): (record: StoredRecord) => string {
  if (kind !== 'text') throw new RangeError(`field "${name}" cannot be filtered like that`)
  return record => {
    const texts = textsOf.get(record) ?? new Map<string, string>()
    const known = texts.get(name)
    if (known !== undefined) return known
    const value = record[name]
    const text = typeof value === 'string' ? value : ''
    const folded = fold(isHtml ? text.replace(INLINE_TAG, '').replace(BREAK, ' ') : text)
    textsOf.set(record, texts.set(name, folded))
    return folded
  }
}

/**
 * Counts records by the values of keys: highest count first, ties by value. A list counts once for each of its entries.
 * Throws RangeError for a key without support for counts, and for a measured field that is no number.
 */
function countRecords(
  records: readonly StoredRecord[],
  by: readonly CountKey[],
  of: readonly Field[],
  fieldOf: FieldOf,
): Group[] {
  for (const { name, kind } of of) if (kind !== 'number') throw new RangeError(`field "${name}" is no number`)
  const readers = by.map(key =>
    typeof key === 'string' ? valuesOf(fieldOf(key)) : partOf(fieldOf(key.field), key),
  )
  const groups = new Map<string, { readonly values: Value[]; readonly members: StoredRecord[] }>()
  for (const record of records)
    for (const values of combined(readers.map(read => read(record)))) {
      const key = JSON.stringify(values)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { values, members: [record] })
      else group.members.push(record)
    }
  return [...groups.values()]
    .map(({ values, members }): Group => {
      const measured = of.flatMap(({ name }) => measure(members.map(record => record[name])))
      return [...values, ...measured, members.length]
    })
    .sort(compareGroups)
}

/** The {@link MEASURES} of values. */
function measure(values: readonly unknown[]): Value[] {
  const numbers = values.filter(value => typeof value === 'number')
  if (numbers.length === 0) return [0, null, null, null]
  const least = numbers.reduce((so, number) => Math.min(so, number))
  const sum = numbers.reduce((so, number) => so + number)
  return [numbers.length, sum, least, numbers.reduce((so, number) => Math.max(so, number))]
}

type ReadValues = (record: StoredRecord) => readonly Value[]

function valuesOf(field: Field): ReadValues {
  if (field.kind !== 'list') requireOrder(field)
  return record => [record[field.name] as Value | Value[]].flat()
}

function partOf({ name, kind }: Field, { part }: DatePartKey): ReadValues {
  if (kind !== 'date' && kind !== 'timestamp') throw new RangeError(`field "${name}" is no date`)
  return record => {
    const date = record[name]
    return [typeof date === 'string' ? datePart(date, part) : null]
  }
}

/** Every choice of one value from each list. */
const combined = (lists: readonly (readonly Value[])[]): Value[][] =>
  lists.reduce<Value[][]>(
    (chosen, list) => chosen.flatMap(values => list.map(value => [...values, value])),
    [[]],
  )
