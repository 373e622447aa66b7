import type { Layout } from '../../store/layout.ts'
import { type Changes, DamagedReleaseError, type Release, type Store } from '../../store/store.ts'
import type { RejectLimit } from './importable.ts'
import type { ImportStatistics } from './report.ts'

const MOST_LOST = 1 / 5
const MOST_GROWN = 10
/** Below this number of records, tenfold growth is plausible. */
const LARGE = 50

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

/** Why a release needs `--force` to be published after one of `before` records; undefined where it does not. */
export function unlikelySize(now: number, before: number | undefined): string | undefined {
  if (now === 0) return 'the source has no records; if that is right, use --force'
  if (before === undefined) return undefined
  if (before - now > before * MOST_LOST)
    return `it has ${now} records where the current release has ${before}, a loss of more than a fifth; if that is right, use --force`
  if (before >= LARGE && now >= before * MOST_GROWN)
    return `it has ${now} records where the current release has ${before}, ten times as many or more; if that is right, use --force`
  return undefined
}

/** The warning for a release that lacks many records of the current one, whatever its size; undefined for others. */
export function manyReplaced({ removed }: Changes, before: number | undefined): string | undefined {
  if (before === undefined || removed <= before * MOST_LOST) return undefined
  return `${removed} of the ${before} records of the current release are not in the source any more, with their ids`
}

/** The release with which a new one is compared. */
export interface Baseline {
  /** The current release if its bytes are sound, else the newest sound one before it. */
  readonly release: Release | undefined
  /** Whether that is the current release. A damaged one must be replaced even by the same records. */
  readonly isCurrent: boolean
}

/** Finds the release with which the next one is compared. */
export async function findBaseline(store: Store, dataset: string, layout: Layout): Promise<Baseline> {
  const current = await store.releases.current(dataset)
  if (current === undefined) return { release: undefined, isCurrent: false }
  const kept = await store.releases.list(dataset)
  const candidates = [current, ...kept.filter(({ number }) => number < current.number)]
  for (const release of candidates)
    if (await isSound(store, release, layout)) return { release, isCurrent: release === current }
  return { release: undefined, isCurrent: false }
}

async function isSound(store: Store, release: Release, layout: Layout): Promise<boolean> {
  try {
    const opened = await store.releases.open(release, layout)
    await opened.close()
    return true
  } catch (error) {
    if (error instanceof DamagedReleaseError) return false
    throw error
  }
}
