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
    const values: Value[] = []
    let rest = key
    for (const { size, value } of fields.toReversed()) {
      values.unshift(value(rest % (size + 1)))
      rest = Math.floor(rest / (size + 1))
    }
    return [...values, count]
  })
}

/** Sorts the rows by all fields, so that those of a group follow one another. */
function countSorted(fields: readonly ValueCodes[], rows: Uint32Array): Group[] {
  const sorted = sortByKeys(
    rows,
    fields.map(field => sortCodes(field, 'ascending')),
  )
  const firsts: number[] = []
  const counts: number[] = []
  let last = -1
  for (const row of sorted) {
    const isSame = last >= 0 && fields.every(({ codes }) => codes[row] === codes[last])
    last = row
    if (isSame) counts[counts.length - 1] = (counts.at(-1) as number) + 1
    else {
      firsts.push(row)
      counts.push(1)
    }
  }
  return groupsOf(Uint32Array.from(counts), (group, count) => [
    ...fields.map(({ codes, value }) => value(codes[firsts[group] as number] as number)),
    count,
  ])
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
  return Array.from(keys.subarray(0, found).sort(), key => {
    const index = key % size
    return groupOf(index, counts[index] as number)
  })
}
