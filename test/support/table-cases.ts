import assert from 'node:assert/strict'
import fc from 'fast-check'
import type {
  Collection,
  CountKey,
  CountQuery,
  Filter,
  Group,
  Query,
  SortKey,
  StoredRecord,
  Value,
} from '../../src/query/query.ts'
import { addTo } from '../../src/values/values.ts'
import { searchedText } from './searched-text.ts'

/* Random records and queries, and the model: a plain list that says which results every engine gives. */

const WORDS = [
  ...['', ' ', 'Ford', 'FORD', 'Citroën', 'CITROEN', 'ΟΔΟΣ', 'a%b', 'a_b', '*', "it's", '"quoted"', 'null'],
  ...['__proto__', 'constructor', 'toString', '7', '10', 'a\0b', '\ud83d', '🚗', '\uffee', 'ﬀ', 'e\u0301'],
  ...['B.M.W.', 'bmw', 'Mercedes-Benz', 'mercedes benz', 'A-Class', '1.2', '12', 'Mk.2', '...', '-'],
  ...['LAND ROVER', 'Land\u00a0Rover', 'Land  Rover', ' land- rover ', 'FORD\u200b', '. .5', '\u3000.b'],
  'a\tb',
  'c\nd',
  'e\rf',
  '\\N',
]
const word = fc.constantFrom(...WORDS)
const part = fc.oneof(
  word,
  fc.constantFrom(
    'o',
    'E',
    'é',
    '%',
    '_',
    'a',
    '\0',
    'zzz',
    '\u0301',
    '.',
    'b.m',
    '.w',
    '.2',
    '-',
    's-b',
    ' b',
    '1.',
    'd  r',
    'd\u202fr',
    ' rover ',
    '\u00ad',
  ),
)
const DAYS = [
  ...['1948-09-13', '1969-12-31', '1970-01-01', '2024-02-29', '2024-03-01', '2024-03-11'],
  ...['0000-01-01', '0000-02-29', '0001-12-31', '1900-02-28', '1900-03-01', '2000-12-31', '9999-12-31'],
]
const day = fc.option(fc.constantFrom(...DAYS).map(date => `${date}T00:00:00.000Z`))
const NUMBERS = [0, 1418, -3, 12.5, 0.1, 1e300, Number.EPSILON, 2 ** 53]
const anyNumber = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
    // Sums of greater numbers are beyond the range of numbers.
    fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
  )
  .map(value => roughly(value))
/** Without -0, which JSON does not have, and what is next to it. */
const roughly = (value: number): number => (Math.abs(value) < Number.EPSILON ? 0 : value)

const hash = fc.constantFrom('0', 'a', 'f').map(digit => digit.repeat(64))

/** Records with the texts, numbers and days that are hardest to keep. */
export const record: fc.Arbitrary<StoredRecord> = fc.record(
  {
    make: word,
    model: word,
    color: word,
    cylinderCapacity: fc.option(anyNumber),
    fuelType: word,
    firstRegisteredAt: day,
    firstRegisteredInJerseyAt: day,
    hash,
  },
  { noNullPrototype: true },
)

const TEXT_FIELDS = ['make', 'model', 'color', 'fuelType']
const DATE_FIELDS = ['firstRegisteredAt', 'firstRegisteredInJerseyAt']
const NUMBER_FIELDS = ['cylinderCapacity']
const textField = fc.constantFrom(...TEXT_FIELDS)
const words = fc
  .array(fc.oneof(part, fc.constantFrom('ford', '7', '1.2 mk', '12, 2', 'S-B.m')), { maxLength: 3 })
  .map(some => some.join(' '))
const allFields = [...TEXT_FIELDS, ...DATE_FIELDS, ...NUMBER_FIELDS, 'hash']

const dateEnd = fc.constantFrom(...DAYS, '1900-01-01', '2100-01-01')
const numberField = fc.constantFrom(...NUMBER_FIELDS)
const anyFilter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ field: textField, contains: part }),
  fc.record({ field: textField, equals: fc.oneof(part, fc.array(part, { maxLength: 3 })) }),
  fc.record({ words, fields: fc.subarray(TEXT_FIELDS, { minLength: 1 }) }),
  fc.record({ field: fc.constant('hash'), equals: fc.oneof(hash, fc.constantFrom('F'.repeat(64), 'f')) }),
  fc.record(
    { field: fc.constantFrom(...DATE_FIELDS), from: dateEnd, to: dateEnd },
    { requiredKeys: ['field'] },
  ),
  fc.record({ field: numberField, from: anyNumber, to: anyNumber }, { requiredKeys: ['field'] }),
  fc.record({ field: numberField, equals: anyNumber }),
)

/** Random filters of every kind. */
export const filters: fc.Arbitrary<readonly Filter[]> = fc.array(anyFilter, { maxLength: 3 })

/** Random queries with these filters. */
export function query(
  filtered: fc.Arbitrary<readonly Filter[]> = filters,
  page: { offset: fc.Arbitrary<number>; limit: fc.Arbitrary<number> } = {
    offset: fc.nat(40),
    limit: fc.nat(12),
  },
): fc.Arbitrary<Query> {
  const sortKey: fc.Arbitrary<SortKey> = fc.record({
    field: fc.constantFrom(...allFields),
    direction: fc.constantFrom('ascending', 'descending'),
  })
  return fc.record(
    {
      filters: filtered,
      ...page,
      sort: fc.uniqueArray(sortKey, { maxLength: 3, selector: key => key.field }),
      fields: fc.subarray(allFields, { minLength: 1 }),
    },
    { requiredKeys: [] },
  )
}

/** Random counts with these filters. */
export function countQuery(filtered: fc.Arbitrary<readonly Filter[]>): fc.Arbitrary<CountQuery> {
  const parts = DATE_FIELDS.flatMap((field): CountKey[] => [
    { field, part: 'year' },
    { field, part: 'month' },
  ])
  return fc.record(
    {
      by: fc.shuffledSubarray<CountKey>([...allFields, ...parts], { minLength: 1, maxLength: 3 }),
      of: fc.subarray(NUMBER_FIELDS),
      filters: filtered,
    },
    { requiredKeys: ['by'] },
  )
}

/** The order of the vehicles' table: newest registration on the island first, without one last, then as given. */
export const served = (records: readonly StoredRecord[]): StoredRecord[] =>
  [...records].sort(byKeys([{ field: 'firstRegisteredInJerseyAt', direction: 'descending' }]))

/** A collection of vehicles, said plainly. */
export function model(records: readonly StoredRecord[]) {
  const all = served(records)
  const matching = (filters: readonly Filter[]) => all.filter(item => filters.every(one => meets(item, one)))
  return {
    execute({ filters = [], sort = [], offset = 0, limit = all.length, fields }: Query): Page {
      const found = matching(filters).sort(byKeys(sort))
      const page = found.slice(offset, offset + limit)
      const shown = fields === undefined ? page : page.map(item => picked(item, fields))
      return { total: found.length, json: JSON.stringify(shown).slice(1, -1) }
    },
    count({ by, of = [], filters = [] }: CountQuery): Group[] {
      const grouped = new Map<string, StoredRecord[]>()
      for (const item of matching(filters))
        addTo(grouped, JSON.stringify(by.map(one => keyOf(item, one))), item)
      const groups = [...grouped].map(([key, items]): Group => {
        const measured = of.flatMap(field => measuredIn(items.map(item => item[field])))
        return [...(JSON.parse(key) as Value[]), ...measured, items.length]
      })
      return groups.sort((one, other) => count(other) - count(one) || inOrder(one, other))
    },
  }
}

/** The groups of a count as values. Sums are rounded as the model rounds them. */
export const counted = async (collection: Collection, query: CountQuery): Promise<Group[]> =>
  (await collection.count(query)).slice().map((group): Group => {
    const [keys, end] = [query.by.length, group.length - 1]
    const measured = group.slice(keys, end)
    const rounded = measured.map((value, at) =>
      at % 4 === 1 && value !== null
        ? comparable(Number(value), [measured[at + 1], measured[at + 2]].map(Number))
        : value,
    )
    return [...group.slice(0, keys), ...rounded, count(group)]
  })

/** A sum as a share of the greatest of its numbers: engines add in different orders, and doubles keep some 16 digits. */
const comparable = (sum: number, numbers: readonly number[]) => {
  const greatest = Math.max(...numbers.map(Math.abs))
  return greatest === 0 ? '0' : (sum / greatest + 0).toFixed(6).replace('-0.000000', '0.000000')
}

export interface Page {
  readonly total: number
  /** The records' JSON, joined by commas. */
  readonly json: string
}

/** Executes a query and reads its result in every form; all of them must agree. */
export async function executed(collection: Collection, query: Query): Promise<Page> {
  const result = await collection.execute(query)
  const json = result.json().toString()
  const texts: string[] = []
  for await (const batch of result.batches()) {
    assert.ok(batch.length > 0)
    const text = batch.json().toString()
    assert.equal(JSON.stringify(batch.records()), `[${text}]`)
    assert.equal(batch.records().length, batch.length)
    texts.push(text)
  }
  assert.equal(texts.join(','), json)
  assert.equal(result.json('[', ']').toString(), `[${json}]`)
  return { total: result.total, json }
}

/** The number of values, their sum, the least and the greatest. */
function measuredIn(all: readonly unknown[]): Value[] {
  const values = all.filter(value => typeof value === 'number').sort((one, other) => one - other)
  const sum = values.reduce((so, value) => so + value, 0)
  return values.length === 0
    ? [0, null, null, null]
    : [values.length, comparable(sum, values), Number(values[0]), Number(values.at(-1))]
}

const count = (group: Group) => Number(group.at(-1))

function keyOf(item: StoredRecord, key: CountKey) {
  if (typeof key === 'string') return item[key]
  const date = item[key.field]
  if (date === null) return null
  const [year, month] = String(date).split('-')
  return key.part === 'year' ? Number(year) : `${year}-${month}`
}

/** Values by the fields' order: null last, numbers by size, texts by code units. */
const inOrder = (one: Group, other: Group): number => {
  for (const [index, value] of one.slice(0, -1).entries()) {
    const order = compared(value, other[index], 1)
    if (order !== 0) return order
  }
  return 0
}

const byKeys =
  (keys: readonly SortKey[]) =>
  (one: StoredRecord, other: StoredRecord): number => {
    for (const { field, direction } of keys) {
      const order = compared(one[field], other[field], direction === 'ascending' ? 1 : -1)
      if (order !== 0) return order
    }
    return 0
  }

function compared(one: unknown, other: unknown, sign: 1 | -1): number {
  if (one === other) return 0
  if (one === null) return 1
  if (other === null) return -1
  return (one as string | number) < (other as string | number) ? -sign : sign
}

const picked = (item: StoredRecord, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name)))

function meets(item: StoredRecord, filter: Filter): boolean {
  if ('words' in filter) {
    const words = searchedText(filter.words).match(/[\p{L}\p{N}]+/gu) ?? []
    return words.every(word => filter.fields.some(field => searchedText(String(item[field])).includes(word)))
  }
  const value = item[filter.field]
  if ('contains' in filter) return searchedText(String(value)).includes(searchedText(filter.contains))
  if ('equals' in filter)
    return typeof value === 'string'
      ? [filter.equals].flat().some(text => searchedText(value) === searchedText(String(text)))
      : value === filter.equals
  if (value === null) return false
  const { from, to } = filter
  const compared = typeof value === 'string' ? value.slice(0, 10) : Number(value)
  return (from === undefined || compared >= from) && (to === undefined || compared <= to)
}
