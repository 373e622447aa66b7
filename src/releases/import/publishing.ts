import { isDeepStrictEqual } from 'node:util'
import type { Changes, Release, Staging } from '../../store/store.ts'
import { abortable } from '../../values/promises.ts'
import type { Baseline } from './checks/baseline.ts'
import { type Allowance, type Checking, type CheckResult, whyRefused } from './checks/checks.ts'
import { REJECTED_ROWS, tooManyRejected } from './checks/rejected-rows.ts'
import { manyReplaced } from './checks/release-checks.ts'
import type { Importable, RejectLimit } from './importable.ts'
import { type ImportReport, type ImportStatistics, recordWarning } from './report.ts'

export const NO_CHANGES: Changes = { added: 0, changed: 0, removed: 0 }

/** What is judged of a release, for the report. */
export type Judged = Pick<ImportReport, 'outcome'> & Partial<ImportReport>

const about = ({ number, hash }: Release) => ({ release: { number, hash } })

/** What is published, and how strictly it is judged. */
export interface PublishOptions extends Allowance {
  readonly dataset: Importable
  /** The path of a file, `-`, or a name for `input`. The report and the release state it. */
  readonly source: string
  /** Overrides the dataset's own limit. */
  readonly rejectLimit?: RejectLimit
  /** Report everything, publish nothing. */
  readonly dryRun?: boolean
  /** The hash of the records that the source gave before: the same again are not published, even after a rollback. */
  readonly lastHash?: string
  /** The hash of the records that were refused before: no others are published. */
  readonly onlyHash?: string
  readonly synthetic?: boolean
  /** Once aborted the import throws its reason and publishes nothing, unless it is publishing already. */
  readonly signal?: AbortSignal
}

/** A release whose rows have all been read. */
interface Staged {
  readonly staging: Staging
  readonly statistics: ImportStatistics
  readonly firstSeen: ReadonlyMap<string, string>
  readonly baseline: Baseline
  readonly checking: Checking
}

/**
 * Publishes a staged release unless the limit of rejected rows or a check refuses it, or it holds the same records as
 * the current one.
 */
export async function judgeAndPublish(
  { dataset, source, synthetic = false, ...options }: PublishOptions,
  { staging, statistics, firstSeen, baseline, checking }: Staged,
  onPhase: (phase: string) => void,
): Promise<Judged> {
  const { release, isCurrent, content } = baseline
  const rejected = tooManyRejected(statistics, options.rejectLimit ?? dataset.rejectLimit)
  if (rejected !== undefined) {
    const failed: CheckResult = { name: REJECTED_ROWS, outcome: 'failed', findings: [rejected] }
    return { outcome: 'refused', reason: rejected, checks: [failed] }
  }
  const { rows, hash, repeated } = await abortable(staging.seal(onPhase), options.signal)
  noteAboutAll(statistics, repeated > 0 ? repeatsKept(repeated) : undefined)
  const { onlyHash = hash } = options
  if (hash !== onlyHash) return { outcome: 'refused', reason: HAS_CHANGED, contentHash: hash }
  if (isCurrent && hash === options.lastHash && hash !== release?.hash) return { outcome: 'no new release' }
  const heldBack = checking.heldBack()
  const isSame =
    isCurrent &&
    release?.hash === hash &&
    release.synthetic === synthetic &&
    // A position that begins or ends to be held back is news, though the records are the same.
    isDeepStrictEqual(release.heldBack ?? [], heldBack)
  if (!isSame && release !== undefined) onPhase(`comparing it with release ${release.number}`)
  const changes = isSame ? NO_CHANGES : await abortable(staging.changesSince(release), options.signal)
  const checks = await checking.results(rows, options)
  const losses = content.rows === undefined ? null : checking.losses()
  const judged = { ...changes, contentHash: hash, checks, losses }
  // Whoever published the same records accepted what the checks find in them.
  const reason = isSame ? undefined : whyRefused(checks)
  if (reason !== undefined) return { outcome: 'refused', reason, ...judged }
  if (isSame && !options.dryRun) return { outcome: 'no new release', ...about(release), heldBack, ...judged }
  for (const warning of checking.warnings(rows)) noteAboutAll(statistics, warning)
  noteAboutAll(
    statistics,
    dataset.identity.kind === 'fingerprint' ? manyReplaced(changes, content.rows) : undefined,
  )
  if (options.dryRun) return { outcome: 'dry run', heldBack, ...judged }
  onPhase('publishing')
  const published = await staging.publish({
    ...{ source, synthetic, changes, firstSeen, heldBack },
    filled: checking.filled(),
  })
  return { outcome: 'published', ...about(published), heldBack, ...judged }
}

/** Records a warning about the source as a whole. */
export function noteAboutAll(statistics: ImportStatistics, reason: string | undefined): void {
  if (reason !== undefined) recordWarning(statistics, { line: null, column: null, value: null, reason })
}

const HAS_CHANGED =
  'the source has changed since it was refused, so nothing is published: wait for its next attempt, and accept that if it is refused too'

const repeatsKept = (repeated: number) =>
  repeated === 1
    ? '1 row repeats another row exactly; it is kept'
    : `${repeated} rows repeat other rows exactly; they are kept`
