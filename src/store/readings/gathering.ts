import type { Registry } from '../registry/registry-tables.ts'
import { nextRevision } from '../registry/revision.ts'
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

/** The lists that staging rows refer to by index, and the first and last time of the rows. */
export interface StagedReadings {
  readonly carparks: readonly { code: string; name: string }[]
  readonly statuses: readonly (string | null)[]
  readonly first: number
  readonly last: number
}

/**
 * Converts readings to staging rows and passes them on in batches; resolves to the lists that they refer to, or
 * undefined if there are no readings.
 */
export async function stageReadings(
  readings: Iterable<HistoricReading>,
  batch: number,
  handOver: (rows: readonly StagingRow[]) => Promise<void>,
): Promise<StagedReadings | undefined> {
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
    if (rows.length < batch) continue
    await handOver(rows)
    rows = []
  }
  await handOver(rows)
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

/** The database ids of the values that staging rows refer to, by index. */
export async function stagedIds(
  transaction: Registry,
  { carparks, statuses }: StagedReadings,
): Promise<{ names: number[]; statuses: (number | null)[] }> {
  const ids = { names: [] as number[], statuses: [] as (number | null)[] }
  for (const carpark of carparks) ids.names.push(await nameId(transaction, carpark))
  for (const status of statuses) ids.statuses.push(await statusId(transaction, status))
  return ids
}

/** Sums the hours of inserted readings, and announces them by a new revision. */
export async function recordStaged(transaction: Registry, { first, last }: StagedReadings): Promise<void> {
  await sumHours(transaction, Math.floor(first / HOUR_MS), Math.floor(last / HOUR_MS) + 1)
  const before = await transaction.selectFrom('state').select('history_revision').executeTakeFirstOrThrow()
  await transaction
    .updateTable('state')
    .set({ history_revision: nextRevision(before.history_revision) })
    .execute()
}
