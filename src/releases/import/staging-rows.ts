import type { SourceRow } from '../../sources/row.ts'
import type { Staging, Store } from '../../store/store.ts'
import { type Candidate, createCandidates, recordFinisher } from './candidate.ts'
import { createFindRepeat } from './duplicates.ts'
import type { Importable } from './importable.ts'
import { Rejection } from './importable.ts'
import { Refusal } from './refusal.ts'
import { issueOf, noteRejection, noteWarning, type Tally } from './statistics.ts'

/** So many records ask at once when they were first seen. */
const BATCH = 500

interface Work {
  readonly store: Store
  readonly staging: Staging
  readonly dataset: Importable
  readonly tally: Tally
  /** The time at which ids are first seen that have not been before, ISO 8601 UTC. */
  readonly now: string
  /** Called after every batch. */
  readonly onBatch: () => void
}

/** Makes records of rows and adds them to a release, counting what becomes of each. Gives the ids first seen now. */
export async function stageRows(
  pieces: AsyncIterable<readonly SourceRow[]>,
  work: Work,
): Promise<Map<string, string>> {
  const { dataset, tally } = work
  const toCandidate = createCandidates(dataset)
  const addBatch = batchAdder(work)
  const firstSeen = new Map<string, string>()
  let batch: Candidate[] = []
  try {
    for await (const rows of pieces)
      for (const row of rows) {
        tally.read++
        orReject(tally, row, () => batch.push(toCandidate(row)))
        if (batch.length >= BATCH || (tally.read % BATCH === 0 && batch.length === 0)) {
          await addBatch(batch, firstSeen)
          batch = []
        }
      }
  } catch (error) {
    // Where the source breaks off, the report still says what became of every row before.
    if (error instanceof Refusal) await addBatch(batch, firstSeen)
    throw error
  }
  await addBatch(batch, firstSeen)
  return firstSeen
}

function batchAdder({ store, staging, dataset, tally, now, onBatch }: Work) {
  const finish = recordFinisher(dataset)
  const findRepeat = dataset.identity.kind === 'fingerprint' ? undefined : createFindRepeat()
  const isDated = dataset.identity.kind === 'uuid'

  return async (batch: readonly Candidate[], firstSeen: Map<string, string>): Promise<void> => {
    const undated = isDated
      ? batch.filter(({ record }) => record.createdAt === undefined).map(({ key }) => key)
      : []
    const seen = undated.length > 0 ? await store.releases.firstSeen(dataset.name, undated) : undefined
    for (const { row, key, record, warnings } of batch) {
      const isUndated = isDated && record.createdAt === undefined
      const finished = orReject(tally, row, () => {
        const whole = finish(isUndated ? { ...record, createdAt: seen?.get(key) ?? now } : record)
        const repeat = findRepeat?.(key, row.line, whole)
        if (repeat === undefined) return whole
        if (repeat.same) return `is the same record as on line ${repeat.line}; it is left out`
        throw new Rejection('id', key, `is the id of another record, on line ${repeat.line}`)
      })
      if (finished === undefined) continue
      if (typeof finished === 'string') {
        tally.skipped++
        noteWarning(tally, issueOf(row, { field: 'id', value: key }, finished))
        continue
      }
      if (isUndated && !seen?.has(key)) firstSeen.set(key, now)
      for (const warning of warnings) noteWarning(tally, warning)
      tally.accepted++
      const appended = staging.append(key, finished)
      if (appended !== undefined) await appended
    }
    onBatch()
  }
}

/** What `make` gives, or undefined after noting that it rejects the row. */
function orReject<T>(tally: Tally, row: SourceRow, make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    noteRejection(tally, issueOf(row, error, error.message))
    return undefined
  }
}
