import type { SourceOptions } from '../../sources/source-options.ts'
import type { SourceRow } from '../../sources/source-row.ts'
import { Refusal } from '../../sources/source-row.ts'
import { contentOf } from '../../store/encoding/content.ts'
import type { Staging, Store } from '../../store/store.ts'
import { type Candidate, createCandidates, recordFinisher } from './candidate.ts'
import type { Baseline } from './checks/baseline.ts'
import type { Checking } from './checks/checks.ts'
import { createDating } from './creation-times.ts'
import { createFindDuplicate } from './identity.ts'
import type { Importable } from './importable.ts'
import { Rejection } from './importable.ts'
import { type ImportStatistics, issueOf, recordRejection, recordWarning } from './report.ts'

/** The number of records whose first-seen times one query of the store returns. */
const BATCH = 500

interface Work {
  readonly store: Store
  /** Takes the records: the release being written, or what compares them with another. */
  readonly staging: Pick<Staging, 'append'>
  readonly dataset: Importable
  /** The separator of lists in one cell; without it the rows tell. */
  readonly listSeparator?: SourceOptions['listSeparator'] | undefined
  readonly statistics: ImportStatistics
  /** The first-seen time of new ids, ISO 8601 UTC. */
  readonly now: string
  readonly force: boolean
  /** Called when the first rows have been read: a source that cannot be read needs no comparison. */
  readonly compare: () => Promise<{ readonly baseline: Baseline; readonly checking: Checking }>
  /** Called after every batch. */
  readonly onBatch: () => void
}

/** Converts rows to records, appends them and updates the statistics. Resolves to the new ids with their time. */
export async function stageRows(
  pieces: AsyncIterable<readonly SourceRow[]>,
  work: Work,
): Promise<Map<string, string>> {
  const { dataset, listSeparator, statistics } = work
  const { lookAhead, toCandidate } = createCandidates(dataset, listSeparator)
  let adder: ReturnType<typeof batchAdder> | undefined
  const addBatch = async (batch: readonly Candidate[]) => {
    adder ??= batchAdder(work)
    await (await adder)(batch, firstSeen)
  }
  const firstSeen = new Map<string, string>()
  let batch: Candidate[] = []
  try {
    for await (const rows of pieces) {
      lookAhead(rows)
      for (const row of rows) {
        statistics.read++
        orReject(statistics, row, () => batch.push(toCandidate(row)))
        if (batch.length >= BATCH || (statistics.read % BATCH === 0 && batch.length === 0)) {
          await addBatch(batch)
          batch = []
        }
      }
    }
  } catch (error) {
    // Where the source breaks off, the report still covers every row before.
    if (error instanceof Refusal && statistics.read > 0) await addBatch(batch)
    throw error
  }
  await addBatch(batch)
  return firstSeen
}

async function batchAdder(work: Work) {
  const { staging, dataset, statistics, onBatch } = work
  const { baseline, checking } = await work.compare()
  const date = await createDating({ ...work, records: baseline.content.records })
  const finish = recordFinisher(dataset)
  const findDuplicate = dataset.identity.kind === 'fingerprint' ? undefined : createFindDuplicate()

  return async (batch: readonly Candidate[], firstSeen: Map<string, string>): Promise<void> => {
    for (const { row, key, record: given, warnings, firstSeen: seen } of batch.map(date)) {
      const { record, held } = checking.hold(key, given)
      const finished = orReject(statistics, row, () => {
        const whole = finish(record)
        const json = findDuplicate && contentOf(whole)
        const duplicate = json === undefined ? undefined : findDuplicate?.(key, row.line, json)
        if (duplicate === undefined) return { whole, json }
        if (duplicate.isSame) return `is the same record as on line ${duplicate.line}; it is skipped`
        throw new Rejection('id', key, `is the id of another record, on line ${duplicate.line}`)
      })
      if (finished === undefined) continue
      if (typeof finished === 'string') {
        statistics.skipped++
        recordWarning(statistics, issueOf(row, { field: 'id', value: key }, finished))
        continue
      }
      if (seen !== undefined) firstSeen.set(key, seen)
      for (const warning of warnings)
        recordWarning(
          statistics,
          warning.reason === held?.fault ? { ...warning, reason: `${held.fault}; ${held.kept}` } : warning,
        )
      statistics.accepted++
      const moved = checking.add(key, finished.whole, given)
      if (moved !== undefined) {
        const value = `${given.latitude}, ${given.longitude}`
        recordWarning(statistics, issueOf(row, { field: 'latitude', value }, moved))
      }
      const appended = staging.append(key, finished.whole, finished.json)
      if (appended !== undefined) await appended
    }
    onBatch()
  }
}

/** The result of `make`; undefined after recording a rejection that it threw. */
function orReject<T>(statistics: ImportStatistics, row: SourceRow, make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    const issues = [error, ...error.others].map(one => issueOf(row, one, one.message))
    recordRejection(statistics, ...issues)
    return undefined
  }
}
