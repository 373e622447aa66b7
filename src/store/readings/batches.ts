import { sql } from 'kysely'
import { escapeText, unescapeText } from '../encoding/escape-text.ts'
import { raiseRevision } from '../registry/revision.ts'
import type { BatchRow, Registry, WriteRegistry } from '../registry/tables.ts'
import type { ReadingOrigins, ReadingTotals } from '../store.ts'
import { sumHours } from './reading-hours.ts'
import { carPark } from './reading-names.ts'

/** The number of the next batch, for a transaction that keeps other writers of readings out. */
export async function nextBatch(transaction: Registry): Promise<number> {
  const { last } = await transaction
    .selectFrom('reading_batches')
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** Adds a batch to the list; its times and its skipped readings are those of the source. */
export async function addBatch(transaction: Registry, batch: Omit<BatchRow, 'imported_at'>): Promise<void> {
  const source = escapeText(batch.source)
  await transaction
    .insertInto('reading_batches')
    .values({ ...batch, source, imported_at: new Date().toISOString() })
    .execute()
}

/** The batches that have readings, newest first, and what the feed stored. */
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

/** Whether readings that a batch skipped may be of an earlier one. */
const mayRepeat = (batch: BatchRow, earlier: BatchRow): boolean =>
  batch.number > earlier.number &&
  batch.skipped > 0 &&
  batch.first_at <= earlier.last_at &&
  batch.last_at >= earlier.first_at

/** Removes the readings of a batch; resolves to what it removed, undefined if there was nothing. */
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

/** Counts the readings of each batch, and under null those of the feed; with a batch, those of its time alone. */
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
