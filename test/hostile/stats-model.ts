import { type ModelQuery, wholeNumber } from './query-model.ts'

/* Counts by keys once more, over a list in memory: highest count first, ties by value, null last. */

type Key = string | number | boolean | null

export const STATS_PARAMETERS = ['by', 'top']

/** The body of counts by the keys that a query names, or undefined where it is wrong; `date` is that of year and month. */
export function statsOf(
  records: readonly object[] | undefined,
  query: ModelQuery,
  keys: readonly string[],
  date?: string,
): string | undefined {
  const all = date === undefined ? keys : [...keys, 'year', 'month']
  const by = (query.get('by') ?? all[0] ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  const isWrong = by.length < 1 || by.length > 3 || new Set(by).size < by.length
  if (records === undefined || isWrong || by.some(name => !all.includes(name))) return undefined
  return groupsOf(records, query, by, date)
}

/** The same by fixed keys. */
export function groupsOf(
  records: readonly object[],
  query: ModelQuery,
  by: readonly string[],
  date?: string,
): string | undefined {
  const top = query.has('top') ? wholeNumber(query.get('top') ?? '', 1_000_000) : records.length * 10 + 1
  if (top === undefined) return undefined
  const counts = new Map<string, number>()
  for (const record of records)
    for (const values of choices(by.map(name => [keyValue(record, name, date)].flat())))
      counts.set(JSON.stringify(values), (counts.get(JSON.stringify(values)) ?? 0) + 1)
  const groups = [...counts].map(([text, count]) => ({ values: JSON.parse(text) as Key[], count }))
  groups.sort((one, other) => other.count - one.count || inOrder(one.values, other.values))
  const rest = groups.slice(top)
  const results = groups
    .slice(0, top)
    .map(
      ({ values, count }) =>
        `{${by.map((name, at) => `"${name}":${JSON.stringify(values[at])}`)},"count":${count}}`,
    )
  const left = { groups: rest.length, count: rest.reduce((sum, { count }) => sum + count, 0) }
  return `{"total":${records.length},"groups":${groups.length},"results":[${results}],"rest":${JSON.stringify(left)}}`
}

function keyValue(item: object, name: string, date: string | undefined): Key | Key[] {
  const record = item as Readonly<Record<string, Key | Key[]>>
  if (date === undefined || !['year', 'month'].includes(name)) return record[name] ?? null
  const [year, month] = String(record[date] ?? '').split('-')
  if (month === undefined) return null
  return name === 'year' ? Number(year) : `${year}-${month}`
}

const choices = (lists: readonly (readonly Key[])[]): Key[][] =>
  lists.reduce<Key[][]>((some, list) => some.flatMap(values => list.map(value => [...values, value])), [[]])

function inOrder(one: readonly Key[], other: readonly Key[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  const [a = null, b = null] = [one[at], other[at]]
  if (a === null) return 1
  return b === null || a < b ? -1 : 1
}
