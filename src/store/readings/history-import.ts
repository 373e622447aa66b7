import { sql } from 'kysely'
import { escapeText, unescapeText } from '../encoding/content.ts'
import type { StoreEngine } from '../engine.ts'
import {
  type BatchRow,
  type Registry,
  type Row,
  raiseRevision,
  type WriteRegistry,
} from '../registry/tables.ts'
import type { HistoricReading, ReadingOrigins, ReadingTotals, SavedHistory } from '../store.ts'
import { carPark, rowsOf, sumHours } from './reading-rows.ts'

/** Rows inserted at once. */
const AT_ONCE = 5000

/**
 * Stores past readings as one batch, all or none, skipping readings whose car park and time are stored. If the database ends
 * the transaction because of another one, the readings are iterated again.
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
    await transaction
      .insertInto('reading_batches')
      .values({
        number: batch,
        source: escapeText(source),
        imported_at: new Date().toISOString(),
        // The times of all readings of the source, including the skipped ones.
        first_at: first,
        last_at: last,
        skipped: read - added,
      })
      .execute()
    await sumHours(transaction, first, last)
    await raiseRevision(transaction, 'history_revision')
    return { added, batch }
  })

/** The number of the next batch. The transaction must keep other writers of readings out. */
async function nextBatch(transaction: Registry): Promise<number> {
  const { last } = await transaction
    .selectFrom('reading_batches')
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** Totals for each batch that has readings, newest first, and for the feed. */
export async function readOrigins(registry: Registry): Promise<ReadingOrigins> {
  const totals = await countReadings(registry)
  const rows = await registry.selectFrom('reading_batches').selectAll().orderBy('number', 'desc').execute()
  const batches = rows.flatMap(row => {
    const { number, imported_at: importedAt } = row
    const total = totals.get(number)
    if (total === undefined) return []
    const repeating = rows.filter(other => totals.has(other.number) && mayRepeat(other, row))
    const repeatedBy = repeating.map(other => other.number)
    return [{ number, importedAt, source: unescapeText(row.source), repeatedBy, ...total }]
  })
  return { batches, feed: totals.get(null) }
}

/** Whether a batch may have skipped readings because an earlier batch has them. */
const mayRepeat = (batch: BatchRow, earlier: BatchRow): boolean =>
  batch.number > earlier.number &&
  batch.skipped > 0 &&
  batch.first_at <= earlier.last_at &&
  batch.last_at >= earlier.first_at

/** Removes the readings of a batch. Resolves to the totals removed, or undefined if the batch had no readings. */
export async function removeBatch(write: WriteRegistry, number: number): Promise<ReadingTotals | undefined> {
  return write(async transaction => {
    const row = await transaction
      .selectFrom('reading_batches')
      .selectAll()
      .where('number', '=', number)
      .executeTakeFirst()
    const removed = row && (await countReadings(transaction, row)).get(number)
    if (removed === undefined) return undefined
    const { first, last } = removed
    await transaction
      .deleteFrom('readings')
      .where('at', '>=', first)
      .where('at', '<=', last)
      .where('batch', '=', number)
      .execute()
    await sumHours(transaction, first, last)
    await raiseRevision(transaction, 'history_revision')
    return removed
  })
}

/** Counts the readings of each batch, and the feed's under null. With a batch, counts only readings of the batch's time. */
async function countReadings(
  registry: Registry,
  { first_at, last_at }: Pick<BatchRow, 'first_at' | 'last_at'> = EVER,
): Promise<Map<number | null, ReadingTotals>> {
  const ofNames = registry
    .selectFrom('readings')
    .where('at', '>=', first_at)
    .where('at', '<=', last_at)
    .groupBy(['batch', 'name_id'])
    .select(({ fn }) => ['batch', 'name_id', fn.countAll<number>().as('readings')])
    .select(({ fn }) => [fn.min('at').as('first'), fn.max('at').as('last')])
  const rows = await registry
    .selectFrom(ofNames.as('counts'))
    .innerJoin('reading_names as names', 'names.id', 'name_id')
    .groupBy('batch')
    .select(({ fn }) => ['batch', fn.min('first').as('first'), fn.max('last').as('last')])
    .select([
      sql<number>`cast(sum(readings) as bigint)`.as('readings'),
      // A renamed car park has two names.
      sql<number>`count(distinct ${carPark})`.as('carParks'),
    ])
    .execute()
  return new Map(rows.map(({ batch, ...totals }) => [batch, totals]))
}

const EVER = { first_at: Number.MIN_SAFE_INTEGER, last_at: Number.MAX_SAFE_INTEGER }
