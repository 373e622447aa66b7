import { countOf, type Group, type Groups } from './result.ts'

/** An array as it grew, and three texts of its own. */
const GROUP_BYTES = 300

/** Groups that are values already. */
export const heldGroups = (groups: readonly Group[]): Groups => ({
  length: groups.length,
  bytes: groups.length * GROUP_BYTES,
  slice: (from, to) => groups.slice(from, to),
  sum: from => groups.slice(from).reduce((sum, group) => sum + countOf(group), 0),
})
