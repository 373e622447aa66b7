import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Layout } from '../../layout.ts'
import { comparison } from '../../registry/comparison.ts'
import type { Registry } from '../../registry/tables.ts'
import type { ReleaseBuilder } from '../../registry/writer.ts'
import type { Changes } from '../../store.ts'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/client.ts'
import { toReadError } from '../connect/faults.ts'
import { startCopy } from './copy-in.ts'
import { physicalSchema } from './physical-schema.ts'
import { recordEncoder } from './record-encoder.ts'
import { dropRelease, releaseTables } from './release-tables.ts'

const CANCEL_EVERY_MS = 50

/**
 * Starts the tables of a release, whose names no one else knows, over the connection of the write lock, which is busy
 * until the release is sealed.
 */
export async function startRelease(
  target: Target,
  client: Client,
  registry: Registry,
  layout: Layout,
): Promise<ReleaseBuilder> {
  const { schema } = target
  const id = newId()
  const tables = releaseTables(schema, id)
  const { named } = tables
  const { declarations, records, finish } = physicalSchema(layout)
  const { line, dictionaries } = recordEncoder(layout)
  await raiseSettings(client)
  // The staging table is needed only during the import, so a crash may lose it.
  await client.query(`
    create unlogged table ${named('staging')}
      (position integer not null, key uuid not null, digest uuid not null, ${declarations.join(', ')})`)
  const copy = startCopy(client, `copy ${named('staging')} from stdin`)
  let sealing: Promise<unknown> | undefined

  async function seal(rows: number, onPhase: (phase: string) => void): Promise<number> {
    await copy.end()
    onPhase('sorting')
    await client.query(`analyze ${named('staging')}`)
    await client.query(`create table ${named(records.table)} as ${records.query(named('staging'))}`)
    const digests = await client.query(`create table ${named('digests')} as ${digestsOf(named('staging'))}`)
    // They are read once, whole, so the rest of vacuuming can be left to autovacuum.
    await client.query(`analyze ${named('digests')}`)
    await client.query(`drop table ${named('staging')}`)
    onPhase('indexing and counting')
    const made = await finish(client, tables, rows, dictionaries)
    onPhase('vacuuming')
    // Also sets the visibility map, which index-only scans need; the rows never change, so once is enough.
    for (const table of made) await client.query(`vacuum (freeze, analyze) ${named(table)}`)
    return digests.rowCount ?? 0
  }

  return {
    append: (key, record, content) => copy.write(line(key, record, content)),
    seal(rows, onPhase) {
      const sealed = seal(rows, onPhase).finally(() => {
        sealing = undefined
      })
      sealing = sealed.catch(() => undefined)
      return sealed
    },
    async changesSince({ locator }) {
      const statement = comparison(releaseTables(schema, locator).named('digests'), named('digests'))
      try {
        const { rows } = await client.query<Changes>(statement)
        return { added: 0, changed: 0, removed: 0, ...rows[0] }
      } catch (error) {
        throw toReadError(error, target)
      }
    },
    // The tables are where they will be read; only the registry makes them a release.
    place: async () => id,
    async remove() {
      await copy.cancel()
      // Repeated, as between two statements there is nothing to cancel.
      while (sealing !== undefined) {
        await cancelStatement(target, client)
        await Promise.race([sealing, pause(CANCEL_EVERY_MS)])
      }
      await dropRelease(registry, schema, id)
    },
  }
}

/**
 * An id that is never reused, even after data loss: a sequence would repeat one after a fail-over to a standby that
 * lacks it, and an instance may still hold that release. Milliseconds, and two random digits in case clocks differ.
 */
const newId = (): string => String(Date.now() * 100 + randomInt(100))

/** The digests of each record's key and content, 16 bytes each, for comparing releases. */
const digestsOf = (staging: string): string =>
  `select key, digest, count(*)::integer as copies from ${staging} group by key, digest`

/**
 * Raises settings of the session that writes a release; a larger setting of the server stays. Sorting in memory is several
 * times as fast, and there is one import at a time. Servers from version 14 on check the connection periodically, so that a
 * long statement of a killed import ends.
 */
async function raiseSettings(client: Client): Promise<void> {
  for (const [name, value] of [
    ['work_mem', 128 * KIB_A_MIB],
    ['maintenance_work_mem', 512 * KIB_A_MIB],
    ['client_connection_check_interval', 2000],
  ])
    await client.query(
      `select set_config(name, $2, false) from pg_catalog.pg_settings
        where case name when $1 then setting::bigint < $2::bigint end`,
      [name, value],
    )
}

/** The server's units: KiB for memory, milliseconds for time. */
const KIB_A_MIB = 1024

/** Cancels the running statement of a connection. If no other connection can be opened, the statement continues. */
async function cancelStatement(target: Target, client: Client): Promise<void> {
  // The driver's types leave out the process id of the backend.
  const { host, port, processID } = client as Client & { readonly processID: number | null }
  const other = await connectAlone({ ...target, hosts: [{ host, port }] }).catch(() => undefined)
  await other?.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined)
  await other?.end().catch(() => undefined)
}
