import { addTo } from '../../src/values/values.ts'
import { type ModelQuery, wholeNumber } from './query-model.ts'

/* Counts by keys once more, over a list in memory: highest count first, ties by value, null last. */

type Key = string | number | boolean | null

export const STATS_PARAMETERS = ['by', 'measures', 'top']

/** The body of counts by the keys that a query names, or undefined where it is wrong; `date` is that of year and month. */
export function statsOf(
  records: readonly object[] | undefined,
  query: ModelQuery,
  keys: readonly string[],
  { date, measured = [] }: { date?: string; measured?: readonly string[] } = {},
): string | undefined {
  const all = date === undefined ? keys : [...keys, 'year', 'month']
  const by = (query.get('by') ?? all[0] ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  const isWrong = by.length < 1 || by.length > 3 || new Set(by).size < by.length
  if (records === undefined || isWrong || by.some(name => !all.includes(name))) return undefined
  const measures = (query.get('measures') ?? '').split(',').flatMap(name => name.trim() || [])
  const isWrongly = query.has('measures') && measures.length === 0
  const known = [
    'share',
    ...measured.flatMap(field => ['sum', 'mean', 'min', 'max'].map(by => `${field}.${by}`)),
  ]
  if (isWrongly || new Set(measures).size < measures.length || !measures.every(one => known.includes(one)))
    return undefined
  return groupsOf(records, query, by, { date, measures })
}

/** The same by fixed keys. */
export function groupsOf(
  records: readonly object[],
  query: ModelQuery,
  by: readonly string[],
  { date, measures = [] }: { date?: string | undefined; measures?: readonly string[] } = {},
): string | undefined {
  const top = query.has('top') ? wholeNumber(query.get('top') ?? '', 1_000_000) : records.length * 10 + 1
  if (top === undefined) return undefined
  const members = new Map<string, object[]>()
  for (const record of records)
    for (const values of choices(by.map(name => [keyValue(record, name, date)].flat())))
      addTo(members, JSON.stringify(values), record)
  const total = [...members.values()].flat().length
  const groups = [...members].map(([text, some]) => ({
    values: JSON.parse(text) as Key[],
    count: some.length,
    more: measuresOf(some, measures, total),
  }))
  groups.sort((one, other) => other.count - one.count || inOrder(one.values, other.values))
  const rest = groups.slice(top)
  const results = groups
    .slice(0, top)
    .map(
      ({ values, count, more }) =>
        `{${by.map((name, at) => `"${name}":${JSON.stringify(values[at])}`)},"count":${count}${more}}`,
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

/** The members after the count. The numbers here are halves, of which sums of doubles are exact. */
function measuresOf(records: readonly object[], measures: readonly string[], total: number): string {
  const share = measures.includes('share') ? `,"share":${records.length / total}` : ''
  const fields = [...new Set(measures.flatMap(word => word.split('.').slice(0, -1)))].map(field => {
    const values = records.flatMap(record => (record as Readonly<Record<string, number | null>>)[field] ?? [])
    const sum = values.reduce((so, value) => so + value, 0)
    const all = { sum, mean: sum / values.length, min: Math.min(...values), max: Math.max(...values) }
    const shown = measures.flatMap(word => {
      const [name, by] = word.split('.')
      const value = values.length === 0 ? null : all[by as keyof typeof all]
      return name === field ? [`"${by}":${JSON.stringify(value)}`] : []
    })
    return `,"${field}":{"values":${values.length},${shown}}`
  })
  return share + fields.join('')
}
