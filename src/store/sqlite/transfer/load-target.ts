import { sql } from 'kysely'
import type { TableOptions } from '../../engine.ts'
import type { StageOptions, Store } from '../../store.ts'
import type { LoadTarget } from '../../transfer/fill.ts'
import { openRegistry } from '../registry.ts'
import { insertRows } from '../write/insert-rows.ts'
import { openReleaseWriter } from '../write/release-writer.ts'

/** Opens the store in a folder to fill it; `store` is closed with it. Throws {@link StoreBusyError} on timeout. */
export async function openLoadTarget(
  folder: string,
  store: Pick<Store, 'close'>,
  options: StageOptions,
  tables: TableOptions,
): Promise<LoadTarget> {
  const registry = await openRegistry(folder)
  async function close(): Promise<void> {
    await registry.destroy()
    await store.close()
  }
  try {
    // If the disk fills up, the log then has nothing to keep, and its space is freed.
    await sql`pragma file.wal_checkpoint(truncate)`.execute(registry)
    const writer = await openReleaseWriter(folder, registry, options, tables)
    return {
      ...writer,
      shown: folder,
      insert: (transaction, table, rows) => insertRows(transaction, sql.id('file', table), rows),
      async unlock() {
        await writer.unlock()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
