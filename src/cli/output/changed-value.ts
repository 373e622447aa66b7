import { isDeepStrictEqual } from 'node:util'
import { type ChangedValue, changedFields } from '../../releases/diff/changes.ts'

/**
 * Formats a changed value for people, as `field: old -> new`: a line for each changed member of an object, and of a list
 * what is new in it and what is gone.
 */
export function changedValueLines(field: string, { from, to }: ChangedValue): string[] {
  if (isObject(from) && isObject(to))
    return Object.entries(changedFields(from, to)).flatMap(([member, value]) =>
      changedValueLines(`${field}.${member}`, value),
    )
  if (Array.isArray(from) && Array.isArray(to)) return [`${field}: ${listChange(from, to)}`]
  const [before, after] = shownPair(JSON.stringify(from), JSON.stringify(to))
  return [`${field}: ${before} -> ${after}`]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function listChange(from: readonly unknown[], to: readonly unknown[]): string {
  const changes = [...without(to, from).map(item => `+${item}`), ...without(from, to).map(item => `-${item}`)]
  return changes.length === 0 ? 'in another order' : changes.join(' ')
}

/** The items of a list that another lacks, as JSON; each of the other's stands for one. */
function without(items: readonly unknown[], others: readonly unknown[]): string[] {
  const left = [...others]
  return items
    .filter(item => {
      const at = left.findIndex(other => isDeepStrictEqual(item, other))
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
    .map(item => shown(JSON.stringify(item), 0))
}

const LONGEST = 80
/** Characters before the first difference of long texts that are shown. */
const CONTEXT = 20

/** Shortens long texts to the part where they begin to differ. */
function shownPair(from: string, to: string): [from: string, to: string] {
  if (from.length <= LONGEST && to.length <= LONGEST) return [from, to]
  let same = 0
  while (same < from.length && from[same] === to[same]) same++
  const start = Math.max(0, same - CONTEXT)
  return [shown(from, start), shown(to, start)]
}

function shown(text: string, start: number): string {
  const end = start + LONGEST
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`
}
