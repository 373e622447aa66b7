import { raiseRevision } from '../registry/revision.ts'
import type { Registry, WriteRegistry } from '../registry/tables.ts'
import type { HistoricReading, SavedHistory } from '../store.ts'
import { addBatch, nextBatch } from './batches.ts'
import { HOUR_MS, sumHours } from './reading-hours.ts'
import { nameId, statusId } from './reading-names.ts'

/** A staged reading: its car park and status are indexes into lists. */
export type StagingRow = readonly [
  at: number,
  carpark: number,
  ordinal: number,
  spaces: number,
  status: number,
  open: boolean | null,
]

/** A session for long work on readings, with an empty staging table: other writers wait only for the final insert. */
export interface HistoryWriter {
  readonly write: WriteRegistry
  stage(rows: readonly StagingRow[]): Promise<void>
  /**
   * Inserts the staged rows as a batch, the first of those of one car park and time; the lists have the ids that the
   * rows refer to by index. Resolves to the number of new ones.
   */
  insertStaged(
    transaction: Registry,
    names: readonly number[],
    statuses: readonly (number | null)[],
    batch: number,
  ): Promise<bigint>
}

/** Rows staged at once. */
const BATCH = 5000

/** Stores past readings as one batch, all or none, skipping those of a stored car park and time. */
export async function addHistory(
  { write, stage, insertStaged }: HistoryWriter,
  readings: Iterable<HistoricReading>,
  source: string,
): Promise<SavedHistory> {
  const carparks = indexed<{ code: string; name: string }>()
  const statuses = indexed<string | null>()
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [lastAt, ordinal] = [Number.NaN, 0]
  let rows: StagingRow[] = []
  let read = 0
  for (const { at, code, name, spaces, status, open } of readings) {
    ordinal = at === lastAt ? ordinal + 1 : 0
    lastAt = at
    first = Math.min(first, at)
    last = Math.max(last, at)
    read++
    rows.push([at, carparks.indexOf({ code, name }), ordinal, spaces, statuses.indexOf(status), open])
    if (rows.length < BATCH) continue
    await stage(rows)
    rows = []
  }
  if (read === 0) return { added: 0, batch: null }
  await stage(rows)
  return write(async transaction => {
    const names: number[] = []
    const statusIds: (number | null)[] = []
    for (const carpark of carparks.values()) names.push(await nameId(transaction, carpark))
    for (const status of statuses.values()) statusIds.push(await statusId(transaction, status))
    const batch = await nextBatch(transaction)
    const added = Number(await insertStaged(transaction, names, statusIds, batch))
    if (added === 0) return { added, batch: null }
    const times = { first_at: first, last_at: last }
    await addBatch(transaction, { number: batch, source, ...times, skipped: read - added })
    await sumHours(transaction, Math.floor(first / HOUR_MS), Math.floor(last / HOUR_MS) + 1)
    await raiseRevision(transaction, 'history_revision')
    return { added, batch }
  })
}

/** Numbers distinct values in the order of their first use. */
function indexed<T>() {
  const indexes = new Map<string, number>()
  return {
    indexOf(value: T): number {
      const key = JSON.stringify(value)
      const index = indexes.get(key) ?? indexes.size
      indexes.set(key, index)
      return index
    },
    values: (): T[] => [...indexes.keys()].map(key => JSON.parse(key) as T),
  }
}
