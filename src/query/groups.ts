import { countOf, type Group, type Groups } from './result.ts'

/** An array with room to grow, and three texts. */
const GROUP_BYTES = 300

/** Groups that are already values in memory. */
export const heldGroups = (groups: readonly Group[]): Groups => ({
  length: groups.length,
  bytes: groups.length * GROUP_BYTES,
  slice: (from, to) => groups.slice(from, to),
  sum: from => groups.slice(from).reduce((sum, group) => sum + countOf(group), 0),
})
