import type { SourceRow } from '../../sources/source-row.ts'
import { Refusal } from '../../sources/source-row.ts'
import { contentOf } from '../../store/encoding/content.ts'
import type { Staging, Store } from '../../store/store.ts'
import { type Candidate, createCandidates, recordFinisher } from './candidate.ts'
import { createFindDuplicate } from './identity.ts'
import type { Importable } from './importable.ts'
import { Rejection } from './importable.ts'
import { type ImportStatistics, issueOf, recordRejection, recordWarning } from './report.ts'

/** The number of records whose first-seen times one query of the store returns. */
const BATCH = 500

interface Work {
  readonly store: Store
  readonly staging: Staging
  readonly dataset: Importable
  readonly statistics: ImportStatistics
  /** The first-seen time of new ids, ISO 8601 UTC. */
  readonly now: string
  /** Called after every batch. */
  readonly onBatch: () => void
}

/** Converts rows to records, appends them to a release and updates the statistics. Resolves to the new ids with their time. */
export async function stageRows(
  pieces: AsyncIterable<readonly SourceRow[]>,
  work: Work,
): Promise<Map<string, string>> {
  const { dataset, statistics } = work
  const toCandidate = createCandidates(dataset)
  const addBatch = batchAdder(work)
  const firstSeen = new Map<string, string>()
  let batch: Candidate[] = []
  try {
    for await (const rows of pieces)
      for (const row of rows) {
        statistics.read++
        orReject(statistics, row, () => batch.push(toCandidate(row)))
        if (batch.length >= BATCH || (statistics.read % BATCH === 0 && batch.length === 0)) {
          await addBatch(batch, firstSeen)
          batch = []
        }
      }
  } catch (error) {
    // Where the source breaks off, the report still covers every row before.
    if (error instanceof Refusal) await addBatch(batch, firstSeen)
    throw error
  }
  await addBatch(batch, firstSeen)
  return firstSeen
}

function batchAdder({ store, staging, dataset, statistics, now, onBatch }: Work) {
  const finish = recordFinisher(dataset)
  const findDuplicate = dataset.identity.kind === 'fingerprint' ? undefined : createFindDuplicate()
  const isDated = dataset.identity.kind === 'uuid'

  return async (batch: readonly Candidate[], firstSeen: Map<string, string>): Promise<void> => {
    const undated = isDated
      ? batch.filter(({ record }) => record.createdAt === undefined).map(({ key }) => key)
      : []
    const seen = undated.length > 0 ? await store.releases.firstSeen(dataset.name, undated) : undefined
    for (const { row, key, record, warnings } of batch) {
      const isUndated = isDated && record.createdAt === undefined
      const finished = orReject(statistics, row, () => {
        const whole = finish(isUndated ? { ...record, createdAt: seen?.get(key) ?? now } : record)
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
      if (isUndated && !seen?.has(key)) firstSeen.set(key, now)
      for (const warning of warnings) recordWarning(statistics, warning)
      statistics.accepted++
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
    recordRejection(statistics, issueOf(row, error, error.message))
    return undefined
  }
}
