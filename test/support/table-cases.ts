import fc from 'fast-check'
import type { Collection } from '../../src/query/collection.ts'
import type { Filter, StoredRecord } from '../../src/query/query.ts'
import { fold } from '../../src/store/encoding/fold.ts'

const WORDS = [
  ...['', ' ', 'Ford', 'FORD', 'Citroën', 'CITROEN', 'ΟΔΟΣ', 'a%b', 'a_b', '*', "it's", '"quoted"', 'null'],
  ...['__proto__', 'constructor', 'toString', '7', '10', 'a\0b', '\ud83d', '🚗', '\uffee', 'ﬀ', 'e\u0301'],
]
const word = fc.constantFrom(...WORDS)
const part = fc.oneof(word, fc.constantFrom('o', 'E', 'é', '%', '_', 'a', '\0', 'zzz', '\u0301'))
const DAYS = ['1948-09-13', '1969-12-31', '1970-01-01', '2024-02-29', '2024-03-01', '2024-03-11']
const day = fc.option(fc.constantFrom(...DAYS).map(date => `${date}T00:00:00.000Z`))
const number = fc.option(
  fc
    .oneof(
      fc.constantFrom(0, 1418, -3, 12.5, 0.1, 1e300, Number.EPSILON, 2 ** 53),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    )
    .map(value => roughly(value)),
)
/** Without -0, which JSON does not have, and what is next to it. */
const roughly = (value: number): number => (Math.abs(value) < Number.EPSILON ? 0 : value)
/** Records with the texts, numbers and days that are hardest to keep. */
export const record: fc.Arbitrary<StoredRecord> = fc.record(
  {
    make: word,
    model: word,
    color: word,
    cylinderCapacity: number,
    fuelType: word,
    firstRegisteredAt: day,
    firstRegisteredInJerseyAt: day,
    hash: fc.constantFrom('0', 'a', 'f').map(digit => digit.repeat(64)),
  },
  { noNullPrototype: true },
)
const wordColumn = fc.constantFrom('make', 'model', 'color', 'fuelType')
const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ field: wordColumn, contains: part }),
  fc.record({ field: wordColumn, equals: part }),
  fc.record(
    {
      field: fc.constantFrom('firstRegisteredAt', 'firstRegisteredInJerseyAt'),
      from: fc.constantFrom(...DAYS, '1900-01-01', '2100-01-01'),
      to: fc.constantFrom(...DAYS, '1900-01-01', '2100-01-01'),
    },
    { requiredKeys: ['field'] },
  ),
)
export interface Question {
  readonly filters: readonly Filter[]
  readonly offset: number
  readonly limit: number
  readonly column: string
}

/** A question about such records. */
export const question: fc.Arbitrary<Question> = fc.record({
  filters: fc.array(filter, { maxLength: 3 }),
  offset: fc.nat(40),
  limit: fc.nat(12),
  column: wordColumn,
})

/** What a table promises, said plainly. */
export function model(records: readonly StoredRecord[]) {
  const served = [...records].sort((one, other) =>
    newestFirst(one.firstRegisteredInJerseyAt, other.firstRegisteredInJerseyAt),
  )
  const matching = (filters: readonly Filter[]) =>
    served.filter(item => filters.every(one => meets(item, one)))
  return {
    execute({ filters, offset, limit }: { filters: readonly Filter[]; offset: number; limit: number }) {
      const found = matching(filters)
      return { total: found.length, json: JSON.stringify(found.slice(offset, offset + limit)).slice(1, -1) }
    },
    count({ by: [column = ''], filters }: { by: readonly string[]; filters: readonly Filter[] }) {
      const counts = new Map<string, number>()
      for (const item of matching(filters))
        counts.set(String(item[column]), (counts.get(String(item[column])) ?? 0) + 1)
      return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    },
  }
}

/** Asks for a page and reads its JSON as text. */
export const asked = async (table: Collection, filters: readonly Filter[], offset: number, limit: number) => {
  const { total, json } = await table.execute({ filters, offset, limit })
  return { total, json: json().toString() }
}

const newestFirst = (one: unknown, other: unknown): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : String(one) < String(other) ? 1 : -1

function meets(item: StoredRecord, asked: Filter): boolean {
  const value = item[asked.field]
  if ('contains' in asked) return fold(String(value)).includes(fold(asked.contains))
  if ('equals' in asked) return fold(String(value)) === fold(String(asked.equals))
  if (value === null) return false
  const { from = '0000', to = '9999' } = asked as { from?: string; to?: string }
  return String(value).slice(0, 10) >= from && String(value).slice(0, 10) <= to
}
