import type { RejectLimit } from '../importable.ts'

/** How much may change before a check refuses a release: more than the share, and this number at least. */
export interface Limit {
  readonly least: number
  readonly share: number
}

/** The limits of all checks. Decision 0055 says which are measured, and what half and twice of each would do. */
export const LIMITS = {
  recordsGone: { least: 5, share: 1 / 5 },
  /** A list of so many records does not grow so many times. */
  growth: { least: 50, times: 10 },
  valuesGone: { least: 5, share: 1 / 5 },
  idsReplaced: { least: 5, share: 1 / 5 },
  /** Another name differs in more than this share of the letters. */
  otherName: { share: 1 / 2 },
  /** A record without position and parish is the same under another name if no more of its other fields change. */
  unplaced: { changes: 1 },
  renamed: { least: 6, share: 1 / 10 },
  /** A place that moves further is reported, and under another name it is another place. */
  near: { metres: 200 },
  movedFar: { least: 6, share: 1 / 10, metres: 2000 },
  movedMost: { least: 6, share: 1 / 2 },
  /** So many places that move by one vector are one mistake. Shorter vectors are those of a better survey. */
  shifted: { least: 2, share: 9 / 10, metres: 25 },
  /** Positions that may be held back: this number, or this share if that is more. */
  heldBack: { most: 2, share: 1 / 20 },
}

/**
 * Whether a number out of so many exceeds a limit. In a list that is short the least number is more than half of its
 * records, two at least.
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

/** The name of the check of rejected rows, which only the limit of them adjusts. */
export const REJECTED_ROWS = 'rejected-rows'

/** Why an import is refused for its rejected rows; undefined where it is not. `noun` names the rows. */
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
