import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { ColumnMap } from '../../sources/claims.ts'
import { type Columns, createColumns } from '../../sources/columns.ts'
import { openSource, type Source } from '../../sources/rows.ts'
import type { SourceOptions } from '../../sources/source-options.ts'
import { Refusal } from '../../sources/source-row.ts'
import type { Store } from '../../store/store.ts'
import { abortable } from '../../values/promises.ts'
import { readBaseline } from './checks/baseline.ts'
import { type SourceFacts, startChecks } from './checks/checks.ts'
import type { DependentCheck } from './checks/dependent-check.ts'
import { requiredFields } from './field-schema.ts'
import type { Importable } from './importable.ts'
import { type Judged, judgeAndPublish, NO_CHANGES, noteAboutAll, type PublishOptions } from './publishing.ts'
import { findResemblance, recognise, whatFits } from './recognition.ts'
import {
  createStatistics,
  type ImportReport,
  type ImportStatistics,
  type Progress,
  reported,
} from './report.ts'
import { stageRows } from './staging-rows.ts'

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
  /** The reason for a refusal; where no row is accepted, the source may be of another dataset. */
  const why = (reason: string) => {
    const { dataset, others = [] } = options
    const another =
      statistics.accepted === 0
        ? recognise(dataset, others, columns?.names() ?? [], statistics.read)
        : undefined
    return another ?? reason
  }
  const report = ({ outcome, reason, ...judged }: Judged): ImportReport => ({
    dataset: options.dataset.name,
    source: options.source,
    outcome,
    ...(reason === undefined ? {} : { reason: why(reason) }),
    ...reported(statistics),
    ...NO_CHANGES,
    durationMs: Math.round(performance.now() - started),
    ...{ release: null, contentHash: null, checks: [], losses: null, heldBack: [] },
    ignoredColumns: [...(columns?.ignored.keys() ?? [])],
    recognisedColumns: columns?.recognised() ?? [],
    ...judged,
  })
  try {
    columns = createColumns(options.dataset, options.map, requiredFields(options.dataset))
    // Before the lock on writing releases is taken: the source may be slow.
    const opening = openSource(options.source, options.input, options.reading)
    const source = await abortable(opening, options.signal)
    return report(await stageAndPublish(options, source, columns, statistics))
  } catch (error) {
    if (error instanceof Refusal) return report({ outcome: 'refused', reason: error.message })
    throw error
  } finally {
    options.input?.destroy()
  }
}

async function stageAndPublish(
  options: ImportOptions,
  source: Source,
  columns: Columns,
  statistics: ImportStatistics,
): Promise<Judged> {
  const { store, dataset, map, others = [], dependents, synthetic = false, force = false } = options
  const { waitMs = DEFAULT_WAIT_MS, onWait, signal } = options
  const progress = (phase?: string) =>
    options.onProgress?.({
      rows: statistics.read,
      bytesRead: source.bytesRead(),
      bytesTotal: source.bytesTotal,
      ...(phase !== undefined && { phase }),
    })
  const facts = (): SourceFacts => ({
    // An operator who maps columns has looked at them.
    resemblance: map === undefined ? findResemblance(dataset, others, columns.names()) : undefined,
    incomplete: source.incomplete(),
    unmatched: whatFits(dataset, columns.ignored),
  })
  async function startComparing() {
    const baseline = await readBaseline(store, dataset, synthetic)
    const checking = startChecks(dataset, baseline.content, { source: facts, dependents, synthetic, force })
    return { baseline, checking }
  }
  const staging = await store.releases.stage(dataset.name, dataset.layout, { waitMs, onWait, signal })
  try {
    let comparing: ReturnType<typeof startComparing> | undefined
    const compare = () => (comparing ??= startComparing())
    const staged = stageRows(source.rows(columns), {
      ...{ store, staging, dataset, statistics, force, compare },
      listSeparator: options.reading?.listSeparator,
      now: (options.now?.() ?? new Date()).toISOString(),
      onBatch: progress,
    })
    const firstSeen = await abortable(staged, signal)
    for (const note of columns.notes) noteAboutAll(statistics, note)
    const isFile = options.input === undefined && options.source !== '-'
    const name = harmless(isFile ? basename(options.source) : options.source)
    const read = { staging, statistics, firstSeen, ...(await compare()) }
    return await judgeAndPublish({ ...options, source: name }, read, progress)
  } finally {
    await staging.discard()
  }
}

/** The name of a source as a release states it: files may have any name, which people are shown. */
const harmless = (name: string): string =>
  name
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd')
    .slice(0, LONGEST_NAME)

const LONGEST_NAME = 1000

/** The options of an import (`importDataset` in import.ts). */
export interface ImportOptions extends PublishOptions {
  readonly store: Store
  /** The source's bytes, with `PAGE_END` between pages; without it the file at `source` is read. */
  readonly input?: Readable
  /** Field by name of the source's column, null for one to ignore, on top of the dataset's aliases. */
  readonly map?: ColumnMap
  /** How the source is to be read where its content does not tell. */
  readonly reading?: SourceOptions
  /** Datasets that the source may be of instead. */
  readonly others?: readonly Importable[]
  /** Checks of what depends on the dataset. */
  readonly dependents?: readonly DependentCheck[]
  readonly now?: () => Date
  readonly onProgress?: (progress: Progress) => void
  /** The longest wait for another import before `StoreBusyError` is thrown; 30 s by default. */
  readonly waitMs?: number
  /** Called once if this import has to wait for another. */
  readonly onWait?: () => void
}
