import type { RejectLimit } from '../importable.ts'
import type { ImportStatistics } from '../report.ts'

/** The name of the check of rejected rows, which only the limit of them adjusts. */
export const REJECTED_ROWS = 'rejected-rows'

/** Why an import is refused for its rejected rows; undefined where it is not. `noun` names the rows. */
export function tooManyRejected(
  { read, rejected }: Pick<ImportStatistics, 'read' | 'rejected'>,
  limit: RejectLimit,
  noun = 'row',
): string | undefined {
  const rows = (count: number) => `${count} ${noun}${count === 1 ? '' : 's'}`
  const most = 'rows' in limit ? limit.rows : (read * limit.percent) / 100
  if (rejected <= most) return undefined
  const allowed = 'rows' in limit ? rows(limit.rows) : `${limit.percent} % (${rows(Math.floor(most))})`
  return `${rejected} of ${rows(read)} rejected, but the limit is ${allowed}; correct the rows listed or raise --reject-limit`
}
