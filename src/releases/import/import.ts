import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { type Columns, createColumns } from '../../sources/columns.ts'
import { openSource, type Source } from '../../sources/rows.ts'
import { Refusal } from '../../sources/source-row.ts'
import type { Changes, Release, Staging, Store } from '../../store/store.ts'
import { abortable } from '../../values/promises.ts'
import { requiredFields } from './field-schema.ts'
import type { Importable, RejectLimit } from './importable.ts'
import { findBaseline, manyReplaced, tooManyRejected, unlikelySize } from './publish-checks.ts'
import {
  createStatistics,
  type ImportReport,
  type ImportStatistics,
  type Progress,
  recordWarning,
} from './report.ts'
import { stageRows } from './staging-rows.ts'

/** The largest dataset takes a few seconds, so another import has probably ended by then. */
const DEFAULT_WAIT_MS = 30_000

const NO_CHANGES: Changes = { added: 0, changed: 0, removed: 0 }

/** The outcome of an import, for the report. */
interface Result {
  readonly outcome: ImportReport['outcome']
  readonly reason?: string
  readonly changes?: Changes
  readonly release?: Release
}

/**
 * Reads a source into a new release and publishes it atomically. A bad source does not throw: it is refused, and the
 * report says why. Throws the store's errors, such as `StoreBusyError`; then nothing is changed.
 */
export async function importDataset(options: ImportOptions): Promise<ImportReport> {
  const started = performance.now()
  const statistics = createStatistics()
  let columns: Columns | undefined
  const report = ({ outcome, reason, changes = NO_CHANGES, release }: Result): ImportReport => ({
    dataset: options.dataset.name,
    source: options.source,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...statistics,
    ...changes,
    durationMs: Math.round(performance.now() - started),
    release: release === undefined ? null : { number: release.number, hash: release.hash },
    ignoredColumns: columns?.ignored() ?? [],
  })
  try {
    columns = createColumns(options.dataset, options.map)
    const source = await abortable(openSource(options.source, options.input), options.signal)
    return report(await stageAndPublish(options, source, columns, statistics))
  } catch (error) {
    if (error instanceof Refusal) return report({ outcome: 'refused', reason: error.message })
    throw error
  }
}

async function stageAndPublish(
  options: ImportOptions,
  source: Source,
  columns: Columns,
  statistics: ImportStatistics,
): Promise<Result> {
  const { store, dataset, waitMs = DEFAULT_WAIT_MS, onWait, signal } = options
  const progress = (phase?: string) =>
    options.onProgress?.({
      rows: statistics.read,
      bytesRead: source.bytesRead(),
      bytesTotal: source.bytesTotal,
      ...(phase !== undefined && { phase }),
    })
  const staging = await store.releases.stage(dataset.name, dataset.layout, { waitMs, onWait, signal })
  try {
    const staged = stageRows(source.rows(columns, requiredFields(dataset)), {
      store,
      staging,
      dataset,
      statistics,
      now: (options.now?.() ?? new Date()).toISOString(),
      onBatch: progress,
    })
    const firstSeen = await abortable(staged, signal)
    return await judgeAndPublish(options, staging, statistics, firstSeen, progress)
  } finally {
    await staging.discard()
  }
}

async function judgeAndPublish(
  { store, dataset, source, input, ...options }: ImportOptions,
  staging: Staging,
  statistics: ImportStatistics,
  firstSeen: ReadonlyMap<string, string>,
  onPhase: (phase: string) => void,
): Promise<Result> {
  const rejected = tooManyRejected(statistics, options.rejectLimit ?? dataset.rejectLimit)
  if (rejected !== undefined) return { outcome: 'refused', reason: rejected }
  const { rows, hash, repeated } = await abortable(staging.seal(onPhase), options.signal)
  noteAboutAll(statistics, repeated > 0 ? repeatsKept(repeated) : undefined)
  const { release, isCurrent } = await findBaseline(store, dataset.name, dataset.layout)
  if (isCurrent && release && hash === options.lastHash) return { outcome: 'no new release', release }
  const unlikely = options.force ? undefined : unlikelySize(rows, release?.rows)
  if (unlikely !== undefined) return { outcome: 'refused', reason: unlikely }

  const synthetic = options.synthetic ?? false
  const isSame = isCurrent && release?.hash === hash && release.synthetic === synthetic
  if (isSame && !options.dryRun) return { outcome: 'no new release', release }
  if (!isSame && release !== undefined) onPhase(`comparing it with release ${release.number}`)
  const changes = isSame ? NO_CHANGES : await abortable(staging.changesSince(release), options.signal)
  noteAboutAll(statistics, manyReplaced(changes, release?.rows))
  if (options.dryRun) return { outcome: 'dry run', changes }
  onPhase('publishing')
  const name = input === undefined && source !== '-' ? basename(source) : source
  const published = await staging.publish({ source: name, synthetic, changes, firstSeen })
  return { outcome: 'published', changes, release: published }
}

function noteAboutAll(statistics: ImportStatistics, reason: string | undefined): void {
  if (reason !== undefined) recordWarning(statistics, { line: null, column: null, value: null, reason })
}

const repeatsKept = (repeated: number) =>
  repeated === 1
    ? '1 row repeats another row exactly; it is kept'
    : `${repeated} rows repeat other rows exactly; they are kept`

/** The options of an import (`importDataset` in import.ts). */
export interface ImportOptions {
  readonly store: Store
  readonly dataset: Importable
  /** The path of a file, `-`, or a name for `input`. The report and the release state it. */
  readonly source: string
  /** The source's bytes; without it the file at `source` is read. */
  readonly input?: Readable
  /** Field by name of the source's column, on top of the dataset's aliases. */
  readonly map?: Readonly<Record<string, string>>
  /** Overrides the dataset's own limit. */
  readonly rejectLimit?: RejectLimit
  /** Report everything, publish nothing. */
  readonly dryRun?: boolean
  /** Publish although the number of records falls by more than a fifth, or grows tenfold, or there are none. */
  readonly force?: boolean
  /** The hash of the records that the source gave before: the same again are not published, even after a rollback. */
  readonly lastHash?: string
  readonly synthetic?: boolean
  readonly now?: () => Date
  readonly onProgress?: (progress: Progress) => void
  /** The longest wait for another import before `StoreBusyError` is thrown; 30 s by default. */
  readonly waitMs?: number
  /** Called once if this import has to wait for another. */
  readonly onWait?: () => void
  /** Once aborted the import throws its reason and publishes nothing, unless it is publishing already. */
  readonly signal?: AbortSignal
}
