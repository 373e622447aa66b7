import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { type ColumnMap, type Columns, createColumns } from '../../sources/columns.ts'
import { openSource, type Source } from '../../sources/rows.ts'
import type { SourceOptions } from '../../sources/source-options.ts'
import { Refusal } from '../../sources/source-row.ts'
import type { Changes, Staging, Store } from '../../store/store.ts'
import { abortable } from '../../values/promises.ts'
import { runBy } from '../../values/system/user.ts'
import { plainText } from '../../values/text.ts'
import {
  type Allowance,
  type CheckResult,
  type DependentCheck,
  type SourceFacts,
  whyRefused,
} from './checks/checks.ts'
import { REJECTED_ROWS, tooManyRejected } from './checks/limits.ts'
import { manyReplaced } from './checks/release-checks.ts'
import type { Correction } from './corrections.ts'
import { type Importable, type RejectLimit, requiredFields } from './importable.ts'
import { keptReport } from './notes.ts'
import { findResemblance, recognise, whatFits } from './recognition.ts'
import {
  createStatistics,
  type ImportReport,
  type ImportStatistics,
  noteAboutAll,
  type Progress,
  reported,
} from './report.ts'
import { stageRows } from './staging-rows.ts'

/** The options of an import (`importDataset` in import.ts). */
export interface ImportOptions extends Allowance {
  readonly dataset: Importable
  /** The path of a file, `-`, or a name for `input`. The report and the release state it. */
  readonly source: string
  /** Overrides the dataset's own limit. */
  readonly rejectLimit?: RejectLimit | undefined
  /** Report everything, publish nothing. */
  readonly dryRun?: boolean
  /** The hash of the source's previous records: the same records are not published again, even after a rollback. */
  readonly lastHash?: string | undefined
  /** The hash of records that were refused before: only these records are published. */
  readonly onlyHash?: string | undefined
  readonly synthetic?: boolean
  /** The person or program that imports, for the journal. By default the user of this process. */
  readonly actor?: string | undefined
  /** Once aborted, the import throws the signal's reason and publishes nothing, unless it is already publishing. */
  readonly signal?: AbortSignal
  readonly store: Store
  /** The source's bytes, with `PAGE_END` between pages; if absent, the file at `source` is read. */
  readonly input?: Readable
  /** Fields by column name, or null to ignore a column; in addition to the dataset's aliases. */
  readonly map?: ColumnMap | undefined
  /** How to read the source if its content does not tell. */
  readonly reading?: SourceOptions
  /** Other datasets that the source may belong to. */
  readonly others?: readonly Importable[]
  /** The operator's corrections of the dataset. */
  readonly corrections?: readonly Correction[] | undefined
  /** Checks for features that depend on the dataset. */
  readonly dependents?: readonly DependentCheck[]
  readonly now?: (() => Date) | undefined
  readonly onProgress?: (progress: Progress) => void
  /** The longest wait for another import before `StoreBusyError` is thrown; 30 s by default. */
  readonly waitMs?: number
  /** Called once if this import has to wait for another. */
  readonly onWait?: () => void
}

const NO_CHANGES: Changes = { added: 0, changed: 0, removed: 0 }

/** The outcome of an import, with further parts of the report. */
type Judged = Pick<ImportReport, 'outcome'> & Partial<ImportReport>

/** The largest dataset takes a few seconds, so another import has probably ended by then. */
const DEFAULT_WAIT_MS = 30_000

/**
 * Reads a source into a new release and publishes it atomically. A bad source does not throw: it is refused, and the
 * report says why. Throws the store's errors, such as `StoreBusyError`; then nothing is changed.
 */
export async function importDataset(options: ImportOptions): Promise<ImportReport> {
  const started = performance.now()
  const statistics = createStatistics()
  let columns: Columns | undefined
  /** The reason for a refusal. If no row is accepted, the source may belong to another dataset. */
  const why = (reason: string) => {
    const { dataset, others = [] } = options
    const another =
      statistics.accepted === 0
        ? recognise(dataset, others, columns?.names() ?? [], statistics.read)
        : undefined
    return another ?? reason
  }
  const report: ToReport = ({ outcome, reason, ...judged }) => ({
    dataset: options.dataset.name,
    source: options.source,
    outcome,
    reason: reason && why(reason),
    ...reported(statistics),
    ...NO_CHANGES,
    durationMs: Math.round(performance.now() - started),
    release: null,
    contentHash: null,
    checks: [],
    losses: null,
    heldBack: [],
    corrected: [],
    ignoredColumns: [...(columns?.ignored.keys() ?? [])],
    recognisedColumns: columns?.recognised() ?? [],
    ...judged,
  })
  try {
    columns = createColumns(options.dataset, options.map, requiredFields(options.dataset))
    // Before the lock on writing releases is taken: the source may be slow.
    const opening = openSource(options.source, options.input, options.reading)
    const source = await abortable(opening, options.signal)
    return await entered(options, report(await stageAndPublish(options, source, columns, statistics, report)))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return await entered(options, report({ outcome: 'refused', reason: error.message }))
  } finally {
    options.input?.destroy()
  }
}

type ToReport = (judged: Judged) => ImportReport

/** Adds an import that published nothing to the journal. If that fails, the report is more important. */
async function entered(options: ImportOptions, report: ImportReport): Promise<ImportReport> {
  const { outcome, reason: detail, dataset, contentHash: hash, release } = report
  const event = outcome === 'refused' ? outcome : 'nothing new'
  const [actor, source] = [actorOf(options), shownName(options)]
  const entry = { dataset, event, actor, release: release?.number ?? null, source, hash, detail } as const
  if (!options.dryRun && outcome !== 'published')
    await options.store.journal.add({ ...entry, report: keptReport(report) }).catch(() => undefined)
  return report
}

const actorOf = ({ actor = runBy('import') }: ImportOptions): string => actor

async function stageAndPublish(
  options: ImportOptions,
  source: Source,
  columns: Columns,
  statistics: ImportStatistics,
  report: ToReport,
): Promise<Judged> {
  const { store, dataset, map, others = [] } = options
  const { waitMs = DEFAULT_WAIT_MS, onWait, signal } = options
  const progress = (phase?: string) =>
    options.onProgress?.({
      rows: statistics.read,
      bytesRead: source.bytesRead(),
      bytesTotal: source.bytesTotal,
      phase,
    })
  const facts = (): SourceFacts => ({
    // An operator who maps columns has looked at them.
    resemblance: map === undefined ? findResemblance(dataset, others, columns.names()) : undefined,
    incomplete: source.incomplete(),
    unmatched: whatFits(dataset, columns.ignored),
  })
  const staging = await store.releases.stage(dataset.name, dataset.layout, { waitMs, onWait, signal })
  try {
    const staged = stageRows(source.rows(columns), {
      store,
      staging,
      dataset,
      statistics,
      checks: { ...options, source: facts },
      corrections: options.corrections,
      listSeparator: options.reading?.listSeparator,
      now: (options.now?.() ?? new Date()).toISOString(),
      onBatch: progress,
    })
    const read = await abortable(staged, signal)
    for (const note of columns.notes) noteAboutAll(statistics, note)
    return await judgeAndPublish(options, { staging, statistics, ...read }, report, progress)
  } finally {
    await staging.discard()
  }
}

/** The name of a source as a release states it: a file may have any name, and people see it. */
function shownName({ source, input }: ImportOptions): string {
  const name = input === undefined && source !== '-' ? basename(source) : source
  return plainText(name, LONGEST_NAME)
}

const LONGEST_NAME = 1000

/** A release whose rows have all been read. */
interface Staged extends Awaited<ReturnType<typeof stageRows>> {
  readonly staging: Staging
  readonly statistics: ImportStatistics
}

/**
 * Publishes a staged release unless the limit of rejected rows or a check refuses it, or it holds the same records as
 * the current one.
 */
async function judgeAndPublish(
  options: ImportOptions,
  { staging, statistics, firstSeen, baseline, checking, corrected, counts }: Staged,
  report: ToReport,
  onPhase: (phase: string) => void,
): Promise<Judged> {
  const { dataset, synthetic = false, rejectLimit = dataset.rejectLimit, signal, dryRun } = options
  const { release, isCurrent, content } = baseline
  const rejected = tooManyRejected(statistics, rejectLimit)
  if (rejected !== undefined) {
    const failed: CheckResult = { name: REJECTED_ROWS, outcome: 'failed', findings: [rejected] }
    return { outcome: 'refused', reason: rejected, checks: [failed] }
  }
  const { rows, hash, repeated } = await abortable(staging.seal(onPhase), signal)
  noteAboutAll(statistics, repeated > 0 && repeatsKept(repeated))
  const { onlyHash = hash } = options
  if (hash !== onlyHash) return { outcome: 'refused', reason: HAS_CHANGED, contentHash: hash }
  if (isCurrent && hash === options.lastHash && hash !== release?.hash) return { outcome: 'no new release' }
  const heldBack = checking.heldBack()
  const isSame =
    isCurrent &&
    release?.hash === hash &&
    release.synthetic === synthetic &&
    // Other positions held back, or other corrections, are news even if the records are the same.
    isDeepStrictEqual([release.heldBack ?? [], release.corrected ?? []], [heldBack, corrected])
  if (!isSame && release !== undefined) onPhase(`comparing it with release ${release.number}`)
  const changes = isSame ? NO_CHANGES : await abortable(staging.changesSince(release), signal)
  const checks = await checking.results(rows)
  const losses = content.rows === undefined ? null : checking.losses()
  const judged = { ...changes, contentHash: hash, checks, losses }
  // Whoever published the same records accepted the findings of the checks.
  const reason = isSame ? undefined : whyRefused(checks)
  if (reason !== undefined) return { outcome: 'refused', reason, ...judged }
  const whole = { heldBack, corrected, ...judged }
  if (isSame && !dryRun) {
    const { number } = release
    return { outcome: 'no new release', release: { number, hash }, ...whole }
  }
  noteAboutAll(statistics, checking.warning(rows))
  noteAboutAll(statistics, dataset.identity.kind === 'fingerprint' && manyReplaced(changes, content.rows))
  if (dryRun) return { outcome: 'dry run', ...whole }
  onPhase('publishing')
  const accepted = checks.filter(({ outcome }) => outcome === 'accepted').map(({ name }) => name)
  const published = (number: number): Judged => ({
    outcome: 'published',
    release: { number, hash },
    ...whole,
  })
  const { number } = await staging.publish({
    source: shownName(options),
    synthetic,
    changes,
    firstSeen,
    heldBack,
    corrected,
    filled: checking.filled(),
    note: {
      event: accepted.length > 0 ? 'accepted' : 'published',
      actor: actorOf(options),
      detail: accepted.join(', '),
      report: number => keptReport(report(published(number))),
      counts,
    },
  })
  return published(number)
}

const HAS_CHANGED =
  'the source has changed since it was refused, so nothing is published: wait for its next attempt, and accept that if it is refused too'

const repeatsKept = (repeated: number) =>
  repeated === 1
    ? '1 row repeats another row exactly; it is kept'
    : `${repeated} rows repeat other rows exactly; they are kept`
