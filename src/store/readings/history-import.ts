import { type RawBuilder, sql } from 'kysely'
import { raiseRevision } from '../registry/revision.ts'
import type { Registry, RegistryTables, WriteRegistry } from '../registry/tables.ts'
import type { HistoricReading, SavedHistory } from '../store.ts'
import { addBatch, nextBatch } from './batches.ts'
import { sumHours } from './reading-hours.ts'
import { nameId, statusId } from './reading-names.ts'

/** A reading before it has a batch. */
export type StagedReading = Omit<RegistryTables['readings'], 'batch'>

/** A session for long work on readings: other writers wait only for the final insert. */
export interface HistoryWriter {
  readonly write: WriteRegistry
  /** A table of this session alone, with the columns of {@link StagedReading} and the key of `readings`. */
  readonly staged: RawBuilder<StagedReading>
  /** Adds rows to it, except for those whose key is there. */
  stage(rows: readonly StagedReading[]): Promise<void>
}

/** Rows staged at once. */
const BATCH = 5000

/** Stores past readings as one batch, all or none, skipping those of a stored car park and time. */
export async function addHistory(
  { write, staged, stage }: HistoryWriter,
  readings: Iterable<HistoricReading>,
  source: string,
): Promise<SavedHistory> {
  const ids = new Map<string, unknown>()
  /** A name or status has its id at once and for good. One without readings is never shown. */
  async function knownId<T>(of: unknown, find: (transaction: Registry) => Promise<T>): Promise<T> {
    const key = JSON.stringify(of)
    if (!ids.has(key)) ids.set(key, await write(find))
    return ids.get(key) as T
  }
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [lastAt, ordinal] = [Number.NaN, 0]
  let rows: StagedReading[] = []
  let read = 0
  for (const { at, code, name, spaces, status, open } of readings) {
    ordinal = at === lastAt ? ordinal + 1 : 0
    lastAt = at
    first = Math.min(first, at)
    last = Math.max(last, at)
    read++
    const name_id = await knownId([code, name], transaction => nameId(transaction, { code, name }))
    const status_id = await knownId(status, transaction => statusId(transaction, status))
    rows.push({ at, name_id, ordinal, spaces, status_id, open: open === null ? null : Number(open) })
    if (rows.length < BATCH) continue
    await stage(rows)
    rows = []
  }
  if (read === 0) return { added: 0, batch: null }
  if (rows.length > 0) await stage(rows)
  return write(async transaction => {
    const batch = await nextBatch(transaction)
    const columns = ['at', 'name_id', 'ordinal', 'spaces', 'status_id', 'open'] as const
    const inserted = await transaction
      .insertInto('readings')
      .columns([...columns, 'batch'])
      .expression(({ selectFrom, lit }) =>
        selectFrom(staged.as('staged'))
          .select([...columns, lit(batch).as('batch')])
          .where(sql.lit(true)),
      )
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    const added = Number(inserted.numInsertedOrUpdatedRows)
    if (added === 0) return { added, batch: null }
    const times = { first_at: first, last_at: last }
    await addBatch(transaction, { number: batch, source, ...times, skipped: read - added })
    await sumHours(transaction, first, last)
    await raiseRevision(transaction, 'history_revision')
    return { added, batch }
  })
}
