import { sql } from 'kysely'
import { DEFAULT_TABLES, type StoreEngine, type StoreOptions } from '../engine.ts'
import { SCHEMA } from '../registry/schema.ts'
import { type Registry, readRevision, type WriteRegistry } from '../registry/tables.ts'
import { readAddress } from './connect/address.ts'
import { degradedComponents, openServers } from './connect/connections.ts'
import { mayRecover } from './connect/faults.ts'
import { openSession, registryOver, withSession } from './connect/session.ts'
import { lockIn, openCoordination, READINGS } from './coordination.ts'
import { openRelease, verifyRelease } from './open-release.ts'
import { readRegistry, writing } from './registry.ts'
import { createConflicts, openReleaseWriter } from './release-writer.ts'
import { prepareSchema } from './schema.ts'

/** How long to wait for another writer of readings. */
const WAIT_MS = 10_000

/**
 * Opens the store in a database, creating it if necessary. Throws {@link StoreUnusableError} and {@link NoStoreError}. With
 * `patient`, it opens even if the server is unavailable, and operations fail until the server is available.
 */
export async function openPostgresStore(
  address: string,
  { patient = false, readUrl, tables = DEFAULT_TABLES, mustExist }: StoreOptions,
): Promise<StoreEngine> {
  const target = readAddress(address)
  const prepared = untilDone(() => prepareSchema(target, mustExist))
  const servers = openServers(target, readUrl, prepared)
  const { primary, reader } = servers
  await prepared().catch(error => {
    if (!patient || !mayRecover(error)) throw error
  })
  const { read, revision } = readRegistry(servers)
  const registry = registryOver(primary, target)
  const coordination = openCoordination(target, registry)
  const { retrying, onConflict } = createConflicts()
  const writingTo =
    (over: Registry): WriteRegistry =>
    work =>
      retrying(() => writing(over).execute(work))
  /** Writes readings, one writer at a time: concurrent writers could deadlock on each other's rows. */
  const writingReadingsTo =
    (over: Registry): WriteRegistry =>
    work =>
      writingTo(over)(async transaction => {
        await sql`set local lock_timeout = ${sql.lit(WAIT_MS)}`.execute(transaction)
        await lockIn(transaction, READINGS, target.schema)
        return work(transaction)
      })

  return {
    shown: target.shown,
    read,
    revision,
    write: writingTo(registry),
    writeReadings: writingReadingsTo(registry),
    writeHistory: work => withSession(target, session => writingReadingsTo(session.registry)(work)),
    async insert(transaction, table, rows) {
      const into = sql.id(target.schema, table)
      const columns = sql.join(Object.keys(rows[0] ?? {}).map(column => sql.ref(column)))
      // One JSON text, because a statement has a limit of parameters.
      const { numAffectedRows } = await sql`
        insert into ${into} (${columns}) overriding system value
        select ${columns} from json_populate_recordset(null::${into}, ${JSON.stringify(rows)}::json)
        on conflict do nothing`.execute(transaction)
      return Number(numAffectedRows)
    },
    openRelease: (kept, layout, isBeside) => openRelease(servers, kept, layout, isBeside),
    verifyRelease: kept => verifyRelease(servers, kept),
    async lock(options) {
      await prepared()
      return openReleaseWriter(target, options, tables, retrying)
    },
    async openMoment() {
      const session = await openSession(target)
      try {
        await sql`begin isolation level repeatable read, read only`.execute(session.registry)
        await readRevision(session.registry, 'revision')
        return { ...session, engine: 'postgres', schema: SCHEMA }
      } catch (error) {
        await session.end()
        throw error
      }
    },
    maxConcurrency: (reader ?? primary).target.poolSize,
    degraded: () => degradedComponents(servers),
    async verify() {
      await revision()
    },
    leases: coordination,
    coordination,
    onConflict,
    async close() {
      coordination.close()
      await Promise.all([primary.end(), reader?.end()])
    },
  }
}

/** Does work once: calls after a failure try again, and calls at the same time share an attempt. */
function untilDone(work: () => Promise<void>): () => Promise<void> {
  let attempt: Promise<void> | undefined
  return () => {
    attempt ??= work().catch(error => {
      attempt = undefined
      throw error
    })
    return attempt
  }
}
