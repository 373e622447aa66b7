import type { StoreEngine } from '../engine.ts'
import { raiseRevision } from '../registry/revision.ts'
import type { Registry, Row } from '../registry/tables.ts'
import type { HistoricReading, SavedHistory } from '../store.ts'
import { addBatch, nextBatch } from './batches.ts'
import { sumHours } from './reading-hours.ts'
import { nameId, statusId } from './reading-names.ts'

/** Rows inserted at once. */
const AT_ONCE = 5000

/**
 * Stores past readings as one batch, all or none, skipping those of a stored car park and time. Where the database ends the
 * transaction for another one, the readings are read again.
 */
export const addHistory = (
  { writeHistory, insert }: Pick<StoreEngine, 'writeHistory' | 'insert'>,
  readings: Iterable<HistoricReading>,
  source: string,
): Promise<SavedHistory> =>
  writeHistory(async transaction => {
    const batch = await nextBatch(transaction)
    const rowOf = rowsOf(transaction, batch)
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    let [read, added] = [0, 0]
    let rows: Row[] = []
    async function insertAll(): Promise<void> {
      added += await insert(transaction, 'readings', rows)
      rows = []
    }
    for (const reading of readings) {
      first = Math.min(first, reading.at)
      last = Math.max(last, reading.at)
      read++
      rows.push(await rowOf(reading))
      if (rows.length === AT_ONCE) await insertAll()
    }
    if (rows.length > 0) await insertAll()
    if (added === 0) return { added, batch: null }
    await addBatch(transaction, {
      number: batch,
      source,
      first_at: first,
      last_at: last,
      skipped: read - added,
    })
    await sumHours(transaction, first, last)
    await raiseRevision(transaction, 'history_revision')
    return { added, batch }
  })

/** Makes the rows of a batch's readings. */
function rowsOf(transaction: Registry, batch: number) {
  const ids = new Map<string, unknown>()
  async function knownId<T>(of: unknown, find: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(of)
    if (!ids.has(key)) ids.set(key, await find())
    return ids.get(key) as T
  }
  let [lastAt, ordinal] = [Number.NaN, 0]
  return async ({ at, code, name, spaces, status, open }: HistoricReading): Promise<Row> => {
    ordinal = at === lastAt ? ordinal + 1 : 0
    lastAt = at
    const name_id = await knownId([code, name], () => nameId(transaction, { code, name }))
    const status_id = await knownId(status, () => statusId(transaction, status))
    return { at, name_id, ordinal, spaces, status_id, open: open === null ? null : Number(open), batch }
  }
}
