import type { Kysely } from 'kysely'
import type { Client } from 'pg'
import { PIECE_BYTES } from '../../../columnar/file/table-file.ts'
import type { Layout } from '../../../query/layout.ts'
import { RECORD_DIGEST } from '../../encoding/digests.ts'
import type { TableOptions } from '../../engine.ts'
import type { KeptRelease } from '../../registry/releases.ts'
import type { RegistryTables } from '../../registry/tables.ts'
import { type ReleaseWriter, waitForLock } from '../../registry/writer.ts'
import { buildFile } from '../../releases/file-builder.ts'
import { digestsOfFile } from '../../releases/release-file.ts'
import { type StageOptions, StoreBusyError } from '../../store.ts'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/connections.ts'
import { kyselyOver, singleConnection } from '../connect/dialect.ts'
import { toReadError, toStoreError } from '../connect/faults.ts'
import { notify } from '../coordinate/coordination.ts'
import { lockKey, RELEASES } from '../coordinate/locks.ts'
import { filesIn, openPieces } from '../pieces.ts'
import { registryOver } from '../registry.ts'
import { startRows } from '../rows/rows-builder.ts'
import type { Retrying } from './conflicts.ts'
import { dropLeftovers } from './release-tables.ts'

/**
 * Acquires the lock on writing releases. It belongs to a connection, over which everything is written, so it ends with
 * the process in any case, and without it nothing can be published. Throws {@link StoreBusyError} on timeout.
 */
export async function openReleaseWriter(
  target: Target,
  retrying: Retrying,
  options: StageOptions,
  tables: TableOptions,
): Promise<ReleaseWriter> {
  const { schema } = target
  const client = await connectAlone(target).catch((error: unknown) => {
    throw toStoreError(error, target)
  })
  const key = lockKey(RELEASES, schema)
  const busy = () =>
    new StoreBusyError(
      `another import or rollback is writing to ${target.shown}: try again when it has ended`,
    )
  async function tryLock(): Promise<Client | undefined> {
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as taken', key)
    return rows[0]?.taken ? client : undefined
  }
  try {
    await waitForLock(options, tryLock, busy)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw toStoreError(error, target)
  }

  const connection = singleConnection(client)
  const registry = registryOver(connection, target)
  const reader = kyselyOver<RegistryTables>(connection, error => toReadError(error, target)).withSchema(
    schema,
  )
  return {
    registry,
    write: work =>
      retrying(() =>
        registry.transaction().execute(async transaction => {
          const done = await work(transaction)
          await notify(transaction, schema, 'releases')
          return done
        }),
      ),
    async startRelease(_dataset, layout) {
      return layout.kind === 'table' && tables.engine === 'sql'
        ? startRows(target, client, registry, layout)
        : buildFile(layout, tables, filesIn(registry))
    },
    digests: (kept, layout) => digestsOf(reader, kept, layout),
    removeLeftovers: () => dropLeftovers(registry, schema),
    toStoreError: error => toStoreError(error, target),
    async unlock() {
      // Ending the connection releases it as well, but a little later.
      await client.query('select pg_advisory_unlock($1, $2)', key).catch(() => undefined)
      await client.end().catch(() => undefined)
    },
  }
}

/** The digests of a release of rows are its pieces. */
async function* digestsOf(
  reader: Kysely<RegistryTables>,
  kept: KeptRelease,
  layout: Layout,
): AsyncGenerator<Uint8Array> {
  const { bytes, rows } = kept.release
  if (bytes !== null) return yield* digestsOfFile(kept, layout, openPieces(reader, kept, bytes))
  const size = rows * RECORD_DIGEST
  const pieces = openPieces(reader, kept, size)
  for (let at = 0; at < size; at += PIECE_BYTES) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size - at))
    await pieces.read(piece, at)
    yield piece
  }
}
