import { escapeText, unescapeText } from '../encoding/escape-text.ts'
import type { Registry } from '../registry/tables.ts'
import type { ReadingName } from './renamed-carparks.ts'

/** The id of a code and name. A renamed car park gets another id, so that older readings keep the name of their time. */
export async function nameId(registry: Registry, carpark: { code: string; name: string }): Promise<number> {
  const [code, name] = [escapeText(carpark.code), escapeText(carpark.name)]
  const known = await registry
    .selectFrom('reading_names')
    .where('code', '=', code)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst()
  if (known !== undefined) return known.id
  const added = registry.insertInto('reading_names').values({ code, name }).returning('id')
  return (await added.executeTakeFirstOrThrow()).id
}

/** The id of a status; null for a missing one. */
export async function statusId(registry: Registry, told: string | null): Promise<number | null> {
  if (told === null) return null
  const status = escapeText(told)
  const known = await registry
    .selectFrom('reading_statuses')
    .where('status', '=', status)
    .select('id')
    .executeTakeFirst()
  if (known !== undefined) return known.id
  const added = registry.insertInto('reading_statuses').values({ status }).returning('id')
  return (await added.executeTakeFirstOrThrow()).id
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
