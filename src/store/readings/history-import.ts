import { raiseRevision } from '../registry/revision.ts'
import type { Registry, WriteRegistry } from '../registry/tables.ts'
import type { HistoricReading } from '../store.ts'
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
   * Inserts the staged rows, the first of those of one car park and time; the lists have the ids that the rows refer to
   * by index. Resolves to the number of new ones.
   */
  insertStaged(
    transaction: Registry,
    names: readonly number[],
    statuses: readonly (number | null)[],
  ): Promise<bigint>
}

/** Rows staged at once. */
const BATCH = 5000

/**
 * Stores past readings, all or none, skipping those of a stored car park and time; resolves to the number of new ones.
 */
export async function addHistory(
  { write, stage, insertStaged }: HistoryWriter,
  readings: Iterable<HistoricReading>,
): Promise<number> {
  const staged = await stageReadings(readings, stage)
  if (staged === undefined) return 0
  return write(async transaction => {
    const names: number[] = []
    const statuses: (number | null)[] = []
    for (const carpark of staged.carparks) names.push(await nameId(transaction, carpark))
    for (const status of staged.statuses) statuses.push(await statusId(transaction, status))
    const inserted = await insertStaged(transaction, names, statuses)
    if (inserted > 0n) {
      await sumHours(transaction, Math.floor(staged.first / HOUR_MS), Math.floor(staged.last / HOUR_MS) + 1)
      await raiseRevision(transaction, 'history_revision')
    }
    return Number(inserted)
  })
}

/**
 * Converts readings to staging rows; resolves to the lists that they refer to and the first and last time, or undefined
 * if there are no readings.
 */
async function stageReadings(readings: Iterable<HistoricReading>, stage: HistoryWriter['stage']) {
  const carparks = placesOf<{ code: string; name: string }>()
  const statuses = placesOf<string | null>()
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [lastAt, ordinal] = [Number.NaN, 0]
  let rows: StagingRow[] = []
  for (const { at, code, name, spaces, status, open } of readings) {
    ordinal = at === lastAt ? ordinal + 1 : 0
    lastAt = at
    first = Math.min(first, at)
    last = Math.max(last, at)
    const carpark = carparks.of(JSON.stringify([code, name]), { code, name })
    rows.push([at, carpark, ordinal, spaces, statuses.of(JSON.stringify(status), status), open])
    if (rows.length < BATCH) continue
    await stage(rows)
    rows = []
  }
  await stage(rows)
  return first > last ? undefined : { carparks: carparks.all, statuses: statuses.all, first, last }
}

/** Assigns each distinct value an index in a list. */
function placesOf<T>() {
  const places = new Map<string, number>()
  const all: T[] = []
  return {
    all,
    of(key: string, thing: T): number {
      const known = places.get(key)
      if (known !== undefined) return known
      places.set(key, all.length)
      return all.push(thing) - 1
    },
  }
}
