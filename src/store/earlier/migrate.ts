import { folderOf } from '../open-store.ts'
import type { StoredDataset } from '../store.ts'
import type { Migrated, MigrateOptions } from './take-over.ts'

export type { Migrated }

/**
 * Creates a missing store, or takes over the store of an earlier version. That version can still open the store, until {@link
 * finishMigration}. All or nothing. Several processes may call it at the same time.
 */
export async function migrate(
  databaseUrl: string,
  datasets: readonly StoredDataset[],
  options: MigrateOptions = {},
): Promise<Migrated> {
  const [engine, address] = await engineOf(databaseUrl)
  return engine.migrate(address, datasets, options)
}

/**
 * Removes the data that only an earlier version of the service needs; resolves to whether there was any. Throws {@link NoStoreError},
 * and {@link OldStoreError} if a release has not been taken over yet.
 */
export async function finishMigration(
  databaseUrl: string,
  datasets: readonly StoredDataset[],
): Promise<boolean> {
  const [engine, address] = await engineOf(databaseUrl)
  return engine.finishMigration(address, datasets)
}

async function engineOf(databaseUrl: string) {
  const folder = folderOf(databaseUrl)
  return folder === undefined
    ? ([await import('./postgres.ts'), databaseUrl] as const)
    : ([await import('./sqlite.ts'), folder] as const)
}
