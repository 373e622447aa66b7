import { sql } from 'kysely'
import { plainText } from '../../values/text.ts'
import type { CountsThen, Journal, JournalEntry, NewEntry } from '../store.ts'
import { columnsOf } from './columns.ts'
import type { ReadRegistry, Registry, WriteRegistry } from './tables.ts'

/** Events that change the current release. The others may be repeated at each attempt. */
const CHANGES: readonly JournalEntry['event'][] = ['published', 'accepted', 'rolled back', 'restored']
/** Entries of a dataset: three years of daily releases and the last one of each month before, and what led to no release lately. */
const MOST_CHANGES = 1200
const MOST_OTHERS = 100
/** Characters of the reason of a refusal, which may quote its source. */
const LONGEST_DETAIL = 2000

const SHOWN = columnsOf('journal').filter(
  (column): column is keyof JournalEntry => !['report', 'counts'].includes(column),
)

/** Creates the journal over a registry. */
export const createJournal = (read: ReadRegistry, write: WriteRegistry): Journal => ({
  add: entry => write(transaction => addEntry(transaction, entry)),
  list: dataset =>
    read(registry =>
      ofDataset(dataset)(registry).select(SHOWN).orderBy('last', 'desc').orderBy('number', 'desc').execute(),
    ),
  async report(dataset, number) {
    const entry = (registry: Registry) =>
      ofDataset(dataset)(registry).where('number', '=', number).select('report')
    const row = await read(registry => entry(registry).executeTakeFirst())
    return row?.report ? JSON.parse(row.report) : undefined
  },
  async counts(dataset) {
    const changes = (registry: Registry) =>
      ofDataset(dataset)(registry).where('event', 'in', CHANGES).select(['at', 'release', 'counts'])
    const found = await read(registry => changes(registry).orderBy('number').execute())
    // A release that is current again has the counts of when it was published.
    const known = new Map<number | null, CountsThen['counts']>()
    return found.flatMap(({ at, release, counts: text }) => {
      if (text !== null) known.set(release, JSON.parse(text))
      const counts = known.get(release)
      return release === null || counts === undefined ? [] : [{ at, release, counts }]
    })
  },
})

const ofDataset = (dataset: string) => (registry: Registry) =>
  registry.selectFrom('journal').where('dataset', '=', dataset)

/**
 * Adds an entry in the caller's transaction, and removes the oldest entries. The same outcome of the same content since the last change
 * is counted by its first entry.
 */
export async function addEntry(
  transaction: Registry,
  { report: given, counts: counted, ...entry }: NewEntry,
): Promise<void> {
  const { dataset, event, actor, source, hash } = entry
  const last = new Date().toISOString()
  const report = given === undefined ? null : JSON.stringify(given)
  const counts = counted === undefined ? null : JSON.stringify(counted)
  const detail = entry.detail ? plainText(entry.detail, LONGEST_DETAIL) : null
  const entries = () => ofDataset(dataset)(transaction)
  const newest = () => entries().select(({ fn }) => fn.max('number').as('number'))
  const isChange = CHANGES.includes(event)
  if (!isChange) {
    const change = await newest().where('event', 'in', CHANGES).executeTakeFirst()
    const { numUpdatedRows } = await transaction
      .updateTable('journal')
      .set(({ eb }) => ({ last, times: eb('times', '+', 1), report }))
      .where('number', '>', change?.number ?? 0)
      .where(({ and }) => and({ dataset, event, actor, source }))
      .where('hash', sql`is not distinct from`, hash)
      .where('detail', sql`is not distinct from`, detail)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return
  }
  // Another process may give the same number to an entry at the same time.
  for (let inserted = 0n; inserted === 0n; ) {
    const number = ((await newest().executeTakeFirst())?.number ?? 0) + 1
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto('journal')
      .values({ ...entry, detail, number, at: last, last, times: 1, report, counts })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    inserted = numInsertedOrUpdatedRows
  }
  const [kind, most] = isChange ? (['in', MOST_CHANGES] as const) : (['not in', MOST_OTHERS] as const)
  const alike = entries().where('event', kind, CHANGES)
  const kept = alike.select('number').orderBy('number', 'desc')
  const lastOfMonths = alike.select(({ fn }) => fn.max('number').as('number')).groupBy(sql`substr(at, 1, 7)`)
  await transaction
    .deleteFrom('journal')
    .where('dataset', '=', dataset)
    .where('event', kind, CHANGES)
    .where('number', 'not in', kept.limit(most))
    .$if(isChange, query => query.where('number', 'not in', lastOfMonths))
    .execute()
}
