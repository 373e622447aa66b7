import { setImmediate as nextTurn } from 'node:timers/promises'
import { compareGroups } from '../../query/order.ts'
import type { Value } from '../../query/query.ts'
import type { Group } from '../../query/result.ts'
import type { RowRange } from './ranges.ts'

/** Rows that are counted in one turn of the event loop, and groups that are sorted: some ten milliseconds. */
export const STEP_ROWS = 2000

/** Counts a range of rows a step at a time and adds the groups up, so that others have turns of the event loop in between. */
export async function countInSteps(
  { first, last }: RowRange,
  count: (step: RowRange) => Promise<readonly Group[]>,
): Promise<Group[]> {
  const sums = new Map<string, [...Value[], number]>()
  for (let from = first; from <= last; from += STEP_ROWS) {
    for (const group of await count({ first: from, last: Math.min(last, from + STEP_ROWS - 1) })) {
      const values = group.slice(0, -1)
      const key = JSON.stringify(values)
      const sum = sums.get(key)
      if (sum === undefined) sums.set(key, [...values, group.at(-1) as number])
      else sum[sum.length - 1] = (sum.at(-1) as number) + (group.at(-1) as number)
    }
    await nextTurn()
  }
  return sortInSteps([...sums.values()], compareGroups)
}

/** Sorts without changing the order of equal items, by merging runs that are sorted alone. */
async function sortInSteps<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  let runs: Item[][] = []
  for (let from = 0; from < items.length; from += STEP_ROWS) {
    runs.push(items.slice(from, from + STEP_ROWS).sort(compare))
    await nextTurn()
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  const merged: Item[] = []
  let [at, otherAt] = [0, 0]
  while (at < one.length && otherAt < other.length) {
    const [item, otherItem] = [one[at] as Item, other[otherAt] as Item]
    if (compare(item, otherItem) <= 0) {
      merged.push(item)
      at++
    } else {
      merged.push(otherItem)
      otherAt++
    }
    if (merged.length % STEP_ROWS === 0) await nextTurn()
  }
  return merged.concat(one.slice(at), other.slice(otherAt))
}
