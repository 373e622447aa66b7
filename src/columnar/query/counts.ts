import type { Value } from '../../query/query.ts'
import type { Group } from '../../query/result.ts'
import { countsBetween } from '../indexes/rank-index.ts'
import type { DictionaryData } from '../indexes/table-data.ts'
import { visitSelected } from './filtered-scan.ts'
import type { Plan } from './plan.ts'
import { sortByKeys, sortCodes } from './sort.ts'
import type { ValueCodes } from './value-codes.ts'

/** Counts the rows of a plan by the values of a dictionary column, without visiting them where an index suffices. */
export function countDictionary({ name, codes, rankIndex }: DictionaryData, plan: Plan): Uint32Array {
  const { first, end, isWhole, ordered, conditions } = plan
  const [range] = ordered
  if (conditions === 0) return countsBetween(rankIndex, codes.length, row => codes[row] as number, first, end)
  const index = range?.data.index
  const byDate = index?.rankIndexes.get(name)
  if (index && byDate && range && conditions === 1 && isWhole) {
    const { rows, covering } = index.list
    const covered = covering.get(name)
    const codeAt = (at: number) => (covered === undefined ? codes[rows[at] as number] : covered[at]) as number
    return countsBetween(byDate, rows.length, codeAt, range.from, range.to)
  }
  const counts = new Uint32Array(rankIndex.size)
  visitSelected(plan, batch => {
    for (let i = 0; i < batch.count; i++) {
      const code = codes[batch.rows[i] as number] as number
      counts[code] = (counts[code] as number) + 1
    }
  })
  return counts
}

/** Counts are taken in an array of all combinations of values up to this size, and beyond it by sorting. */
const MAX_COMBINATIONS = 1 << 20

/** Counts the rows of a plan by the values of one or more fields. `selectedRows` returns the plan's rows. */
export function countFields(
  fields: readonly ValueCodes[],
  plan: Plan,
  selectedRows: () => Uint32Array,
): Group[] {
  const combinations = fields.reduce((product, { size }) => product * (size + 1), 1)
  if (combinations > MAX_COMBINATIONS) return countSorted(fields, selectedRows())
  const counts = new Uint32Array(combinations)
  visitSelected(plan, ({ rows, count }) => {
    for (let i = 0; i < count; i++) {
      let key = 0
      for (let field = 0; field < fields.length; field++) {
        const { codes, size } = fields[field] as ValueCodes
        key = key * (size + 1) + (codes[rows[i] as number] as number)
      }
      counts[key] = (counts[key] as number) + 1
    }
  })
  return groupsOf(counts, (key, count) => {
    const group: Value[] = []
    let rest = key
    for (let field = fields.length - 1; field >= 0; field--) {
      const { size, value } = fields[field] as ValueCodes
      group[field] = value(rest % (size + 1))
      rest = Math.floor(rest / (size + 1))
    }
    return groupWith(group, count)
  })
}

/** Sorts the rows by all fields, so that those of a group follow one another. */
function countSorted(fields: readonly ValueCodes[], rows: Uint32Array): Group[] {
  const sorted = sortByKeys(
    rows,
    fields.map(field => sortCodes(field, 'ascending')),
  )
  const firsts = new Uint32Array(sorted.length)
  const counts = new Uint32Array(sorted.length)
  let found = 0
  for (let i = 0; i < sorted.length; i++) {
    const row = sorted[i] as number
    if (i === 0 || !areSame(fields, row, sorted[i - 1] as number)) firsts[found++] = row
    counts[found - 1] = (counts[found - 1] as number) + 1
  }
  return groupsOf(counts.subarray(0, found), (index, count) => {
    const group: Value[] = []
    const row = firsts[index] as number
    for (const { codes, value } of fields) group.push(value(codes[row] as number))
    return groupWith(group, count)
  })
}

function areSame(fields: readonly ValueCodes[], one: number, other: number): boolean {
  for (const { codes } of fields) if (codes[one] !== codes[other]) return false
  return true
}

/** Adds the count to the values themselves: there may be a hundred thousand groups. */
function groupWith(values: Value[], count: number): Group {
  values.push(count)
  return values as unknown as Group
}

/** Makes the groups with a count of at least one, in descending order of count, ties by their index. */
export function groupsOf(counts: Uint32Array, groupOf: (index: number, count: number) => Group): Group[] {
  const size = counts.length
  let most = 0
  for (let i = 0; i < size; i++) most = Math.max(most, counts[i] as number)
  // Each group is encoded as one number in sort order: sorting numbers is far quicker than comparing pairs.
  const keys = new Float64Array(size)
  let found = 0
  for (let i = 0; i < size; i++)
    if (counts[i] !== 0) keys[found++] = (most - (counts[i] as number)) * size + i
  const sorted = keys.subarray(0, found).sort()
  const groups: Group[] = []
  for (let i = 0; i < found; i++) {
    const index = (sorted[i] as number) % size
    groups.push(groupOf(index, counts[index] as number))
  }
  return groups
}
