import { engineOf } from './address.ts'
import { openStore } from './open-store.ts'

/** The versions of a store's schema before and after; 0 if there was none. */
export interface Migrated {
  readonly from: number
  readonly to: number
}

type Migrate = (address: string, databaseUrl: string) => Promise<Migrated | undefined>

const migratePostgres: Migrate = async address => {
  const { migratePostgresStore } = await import('./postgres/migrate.ts')
  return migratePostgresStore(address)
}

const ENGINES: Readonly<Record<string, Migrate>> = {
  async sqlite(_folder, databaseUrl) {
    await (await openStore(databaseUrl)).close()
    return undefined
  },
  postgres: migratePostgres,
  postgresql: migratePostgres,
}

/**
 * Migrates the schema of a store, creating the store if there is none; safe to run from several processes at once.
 * Resolves to the versions if the engine reports them. Throws {@link StoreUnusableError}.
 */
export async function migrateStore(databaseUrl: string): Promise<Migrated | undefined> {
  const { open, address } = engineOf(ENGINES, databaseUrl)
  return open(address, databaseUrl)
}
