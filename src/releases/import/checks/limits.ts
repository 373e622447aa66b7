import type { RejectLimit } from '../importable.ts'

/** The limit of a check. The check refuses a change of at least `least` items that is more than `share` of all items. */
export interface Limit {
  readonly least: number
  readonly share: number
}

/** The limits of all checks. Decision 0055 says which are measured, and what half and double of each would do. */
export const LIMITS = {
  recordsGone: { least: 5, share: 1 / 5 },
  /** A list of at least `least` records does not grow to `times` its size. */
  growth: { least: 50, times: 10 },
  valuesGone: { least: 5, share: 1 / 5 },
  idsReplaced: { least: 5, share: 1 / 5 },
  /** A name that differs in more than this share of its letters is another name. */
  otherName: { share: 1 / 2 },
  /** A renamed record without position and parish is the same record if at most this many other fields change. */
  unplaced: { changes: 1 },
  renamed: { least: 6, share: 1 / 10 },
  /** A place that moves further than this is reported; with another name, it is another place. */
  near: { metres: 200 },
  movedFar: { least: 6, share: 1 / 10, metres: 2000 },
  movedMost: { least: 6, share: 1 / 2 },
  /** If this many places move by the same vector, the move is a mistake. A shorter vector comes from a better survey. */
  shifted: { least: 2, share: 9 / 10, metres: 25 },
  /** Positions that may be held back: this number, or this share if that is more. */
  heldBack: { most: 2, share: 1 / 20 },
}

/**
 * Whether `count` out of `of` exceeds a limit. In a short list, more than half of the records are enough, but at least
 * two.
 */
export function exceeds(
  count: number,
  of: number,
  { least, share }: Limit,
  records = Number.POSITIVE_INFINITY,
) {
  const enough = Math.min(least, Math.max(2, Math.floor(records / 2) + 1))
  return count >= enough && count > of * share
}

/** The name of the check of rejected rows. Only the reject limit adjusts this check. */
export const REJECTED_ROWS = 'rejected-rows'

/** Why an import is refused for its rejected rows, or undefined. `noun` names the rows. */
export function tooManyRejected(
  { read, rejected }: { readonly read: number; readonly rejected: number },
  limit: RejectLimit,
  noun = 'row',
): string | undefined {
  const rows = (count: number) => `${count} ${noun}${count === 1 ? '' : 's'}`
  const most = 'rows' in limit ? limit.rows : (read * limit.percent) / 100
  if (rejected <= most) return undefined
  const allowed = 'rows' in limit ? rows(limit.rows) : `${limit.percent} % (${rows(Math.floor(most))})`
  return `${rejected} of ${rows(read)} rejected, but the limit is ${allowed}; correct the rows listed or raise --reject-limit`
}
