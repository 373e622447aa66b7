import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { RECORD_DIGEST } from '../encoding/digests.ts'
import type { TableOptions } from '../engine.ts'
import type { Registry, WriteRegistry } from '../registry/tables.ts'
import { type ReleaseWriter, waitForLock } from '../registry/writer.ts'
import { buildFile } from '../releases/file-builder.ts'
import { chunksOf, digestsOfFile } from '../releases/release-file.ts'
import type { StageOptions } from '../store.ts'
import type { Target } from './connect/address.ts'
import { isConflict, mayNotWrite, toStoreError } from './connect/faults.ts'
import { openSession } from './connect/session.ts'
import { lockIn, lockKey, notify, READINGS, RELEASES } from './coordination.ts'
import { filesIn, openPieces } from './pieces.ts'
import { dropLeftovers } from './release-tables.ts'
import { startRows } from './rows/rows-builder.ts'

/**
 * Acquires the lock on writing releases. The lock belongs to the connection that writes, so it always ends with the process,
 * and without the lock nothing can be published. Throws {@link StoreBusyError} on timeout.
 */
export async function openReleaseWriter(
  target: Target,
  options: StageOptions,
  tables: TableOptions,
  retrying: Retrying,
): Promise<ReleaseWriter> {
  const { schema, shown } = target
  const session = await openSession(target)
  const { registry, content } = session
  const key = lockKey(RELEASES, schema)
  async function tryLock(): Promise<true | undefined> {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${key}) as taken`.execute(
      registry,
    )
    return rows[0]?.taken || undefined
  }
  try {
    await waitForLock(options, shown, tryLock)
  } catch (error) {
    await session.end()
    throw error
  }

  const write: WriteRegistry = work =>
    registry.transaction().execute(async transaction => {
      const done = await work(transaction)
      await notify(transaction, schema, 'releases')
      return done
    })

  return {
    registry,
    write: work => retrying(() => write(work)),
    fill: work =>
      write(async transaction => {
        await lockIn(transaction, READINGS, schema)
        const done = await work(transaction)
        await continueKeys(transaction, schema)
        return done
      }),
    async startRelease(_dataset, layout) {
      return layout.kind === 'table' && tables.engine === 'sql'
        ? startRows(target, session, layout)
        : buildFile(layout, tables, filesIn(registry))
    },
    digests(kept, layout) {
      const { bytes, rows } = kept.release
      // If the records are rows, the release's pieces hold the digests.
      return bytes === null
        ? chunksOf(openPieces(content, kept, rows * RECORD_DIGEST))
        : digestsOfFile(kept, layout, openPieces(content, kept, bytes))
    },
    async removeLeftovers() {
      try {
        return await dropLeftovers(registry, schema)
      } catch (error) {
        // An instance without the right to remove content leaves that to imports.
        if (mayNotWrite(error)) return 0
        throw error
      }
    },
    toStoreError: error => toStoreError(error, target),
    async unlock() {
      // The end of the connection would release the lock, too, but a little later.
      await sql`select pg_advisory_unlock(${key})`.execute(registry).catch(() => undefined)
      await session.end()
    },
  }
}

/** Makes the keys that the database assigns continue after the inserted keys. */
async function continueKeys(transaction: Registry, schema: string): Promise<void> {
  for (const table of ['reading_names', 'reading_statuses'])
    await sql`
      select setval(pg_get_serial_sequence(${`"${schema}"."${table}"`}, 'id'), max(id))
      from ${sql.id(schema, table)}`.execute(transaction)
}

/** The longest pause before each retry. The actual pause is random, so that the same transactions do not meet again. */
const PAUSES_MS = [50, 100, 200]

/** Runs a whole transaction. */
type Retrying = <T>(transaction: () => Promise<T>) => Promise<T>

/** Repeats the transactions of one store that the server ended because of others, and reports each repetition. */
export function createConflicts() {
  const listeners = new Set<() => void>()
  return {
    onConflict: (listener: () => void) => void listeners.add(listener),
    /** Runs a transaction, and repeats it up to three times after conflicts. Throws the last error. */
    async retrying<T>(transaction: () => Promise<T>): Promise<T> {
      for (const longestMs of PAUSES_MS)
        try {
          return await transaction()
        } catch (error) {
          if (!isConflict(error)) throw error
          for (const listener of listeners) listener()
          await pause(longestMs * Math.random())
        }
      return transaction()
    },
  }
}
