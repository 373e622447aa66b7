import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Registry } from '../../registry/tables.ts'
import { StoreBusyError } from '../../store-errors.ts'

const WAIT_MS = 10_000
const POLL_MS = 20
/** How long a read may block, which happens only while a journal is being restored. */
export const BUSY_TIMEOUT_MS = 2000

/**
 * Runs work in one writing transaction, as soon as no other process has one. A serving process must not block while
 * another imports, so it waits here and not inside SQLite. Throws {@link StoreBusyError}.
 */
export async function writing<T>(
  registry: Registry,
  work: (transaction: Registry) => Promise<T>,
): Promise<T> {
  for (const deadline = performance.now() + WAIT_MS; ; ) {
    try {
      return await attempt(registry, work)
    } catch (error) {
      if (!(error instanceof StoreBusyError) || performance.now() > deadline) throw error
      await pause(POLL_MS)
    }
  }
}

function attempt<T>(registry: Registry, work: (transaction: Registry) => Promise<T>): Promise<T> {
  return registry.connection().execute(async connection => {
    await sql`pragma busy_timeout = 0`.execute(connection)
    try {
      return await connection.transaction().execute(work)
    } finally {
      await sql.raw(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`).execute(connection)
    }
  })
}
