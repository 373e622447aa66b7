import { sql } from 'kysely'
import { escapeText, unescapeText } from '../encoding/escape-text.ts'
import type { Registry } from '../registry/tables.ts'

/** A code and name with their id. */
export interface ReadingName {
  readonly id: number
  readonly code: string
  readonly name: string
}

/** Identifies the car park of a row of `reading_names`, in SQL: codes differ by more than their case. */
export const carPark = sql<string>`upper(code)`

/** The id of a code and name. A renamed car park gets another id, so that older readings keep the name of their time. */
export function nameId(registry: Registry, carpark: { code: string; name: string }): Promise<number> {
  const values = { code: escapeText(carpark.code), name: escapeText(carpark.name) }
  const known = registry.selectFrom('reading_names').where('code', '=', values.code)
  return idOf(
    known.where('name', '=', values.name).select('id'),
    registry.insertInto('reading_names').values(values).returning('id'),
  )
}

/** The id of a status; null for a missing one. */
export async function statusId(registry: Registry, text: string | null): Promise<number | null> {
  if (text === null) return null
  const status = escapeText(text)
  return idOf(
    registry.selectFrom('reading_statuses').where('status', '=', status).select('id'),
    registry.insertInto('reading_statuses').values({ status }).returning('id'),
  )
}

interface IdQuery {
  executeTakeFirst(): Promise<{ id: number } | undefined>
}

/** The id that a query finds or, if it finds none, an insertion returns. */
async function idOf(known: IdQuery, insertion: IdQuery): Promise<number> {
  const row = (await known.executeTakeFirst()) ?? (await insertion.executeTakeFirst())
  if (row === undefined) throw new Error('the database has returned no id')
  return row.id
}

/** All codes and names of readings; with a code, those of this code, case-insensitively. They are few. */
export async function readingNames(registry: Registry, code?: string): Promise<ReadingName[]> {
  const rows = await registry.selectFrom('reading_names').selectAll().orderBy('id').execute()
  const names = rows.map(({ id, code, name }) => ({ id, code: unescapeText(code), name: unescapeText(name) }))
  return code === undefined ? names : names.filter(name => name.code.toUpperCase() === code.toUpperCase())
}

/** The statuses of readings by id. They are few. */
export async function statusesById(registry: Registry): Promise<Map<number, string>> {
  const rows = await registry.selectFrom('reading_statuses').selectAll().execute()
  return new Map(rows.map(({ id, status }) => [id, unescapeText(status)]))
}
