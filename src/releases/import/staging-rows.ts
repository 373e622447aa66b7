import type { StoredRecord } from '../../query/query.ts'
import type { SourceOptions } from '../../sources/source-options.ts'
import type { SourceRow } from '../../sources/source-row.ts'
import { contentOf } from '../../store/encoding/content.ts'
import type { Staging, Store } from '../../store/store.ts'
import { readBaseline } from './checks/baseline.ts'
import { type CheckOptions, startChecks } from './checks/checks.ts'
import { recordFinisher, rowConverter } from './coerce/coerce.ts'
import { type Correction, startCorrecting } from './corrections.ts'
import { createFindDuplicate } from './identity.ts'
import { type Importable, Rejection, type Warn } from './importable.ts'
import {
  type ImportStatistics,
  issueOf,
  noteAboutAll,
  type RowIssue,
  recordRejection,
  recordWarning,
} from './report.ts'
import { createTally } from './tally.ts'

interface Work {
  readonly store: Store
  /** Takes the records: the release being written, or a comparison with a release. */
  readonly staging: Pick<Staging, 'append'>
  readonly dataset: Importable
  /** The separator of lists in one cell; if absent, the rows show it. */
  readonly listSeparator?: SourceOptions['listSeparator'] | undefined
  readonly statistics: ImportStatistics
  /** The first-seen time of new ids, ISO 8601 UTC. */
  readonly now: string
  readonly checks?: CheckOptions
  /** The operator's corrections of the dataset. */
  readonly corrections?: readonly Correction[] | undefined
  /** Called after every batch of rows. */
  readonly onBatch: () => void
}

/**
 * Converts rows to records, checks and appends them, and updates the statistics, row by row: if the source breaks off,
 * the report covers every row before that. Resolves to the new ids with their times, the baseline, the checks
 * the corrected fields, and the counts that the release leaves behind.
 */
export async function stageRows(pieces: AsyncIterable<readonly SourceRow[]>, work: Work) {
  const { store, staging, dataset, statistics, checks = {} } = work
  const { weigh, toRecord } = rowConverter(dataset, work.listSeparator)
  const finish = recordFinisher(dataset)
  const findDuplicate = dataset.identity.kind === 'fingerprint' ? undefined : createFindDuplicate()
  const firstSeen = new Map<string, string>()
  const tally = createTally(dataset)
  const correcting = startCorrecting(dataset, work.corrections ?? [], new Date(work.now))

  async function startComparing() {
    const baseline = await readBaseline(store, dataset, checks.synthetic ?? false)
    const checking = startChecks(dataset, baseline.content, checks)
    const seen = dataset.identity.kind === 'uuid' ? await store.releases.firstSeen(dataset.name) : undefined
    return { baseline, checking, seen }
  }

  function stage(row: SourceRow, { baseline, checking, seen }: Awaited<ReturnType<typeof startComparing>>) {
    const warnings: RowIssue[] = []
    const warn: Warn = (field, value, reason) => warnings.push(issueOf(row, { field, value }, reason))
    const { key, record: given } = toRecord(row, warn)
    const record = correcting.correct(key, given)
    const known = baseline.content.records.get(key)?.createdAt ?? seen?.get(key)
    const held = checking.hold(key, seen === undefined ? record : dated(record, known, work, warn), warn)
    const finished = finish(held.record)
    const json = findDuplicate && contentOf(finished)
    const duplicate = json === undefined ? undefined : findDuplicate?.(key, row.line, json)
    if (duplicate?.isSame) {
      const reason = `is the same record as on line ${duplicate.line}; it is skipped`
      statistics.skipped++
      return recordWarning(statistics, issueOf(row, { field: 'id', value: key }, reason))
    }
    if (duplicate !== undefined)
      throw new Rejection('id', key, `is the id of another record, on line ${duplicate.line}`)
    if (seen?.has(key) === false) firstSeen.set(key, String(finished.createdAt))
    statistics.accepted++
    const moved = checking.add(key, finished, held)
    if (moved !== undefined) warn('latitude', `${held.given.latitude}, ${held.given.longitude}`, moved)
    tally?.add(finished)
    for (const warning of warnings) recordWarning(statistics, warning)
    return staging.append(key, finished, json)
  }

  // Starts only once rows have been read: a source that cannot be read needs no comparison.
  let compared: Awaited<ReturnType<typeof startComparing>> | undefined
  for await (const rows of pieces) {
    if (rows.length === 0) continue
    compared ??= await startComparing()
    weigh(rows)
    for (const row of rows) {
      statistics.read++
      try {
        const appended = stage(row, compared)
        if (appended !== undefined) await appended
      } catch (error) {
        if (!(error instanceof Rejection)) throw error
        recordRejection(statistics, ...[error, ...error.others].map(one => issueOf(row, one, one.message)))
      }
    }
    work.onBatch()
  }
  const { baseline, checking } = compared ?? (await startComparing())
  for (const note of correcting.notes()) noteAboutAll(statistics, note)
  return { firstSeen, baseline, checking, corrected: correcting.corrected(), counts: tally?.counts() }
}

/**
 * The record with its time of creation. The time of a known id never changes, unless by force: a source with another
 * time gets a warning.
 */
function dated(
  record: StoredRecord,
  known: unknown,
  { now, checks }: Pick<Work, 'now' | 'checks'>,
  warn: Warn,
): StoredRecord {
  const { createdAt: given = known ?? now } = record
  const moves = known !== undefined && given !== known && !checks?.force
  if (moves)
    warn(
      'createdAt',
      given,
      'is not the time that its id is known with, which is kept; --force publishes that of the source',
    )
  return { ...record, createdAt: moves ? known : given }
}
