import type { Engine } from '../engine.ts'

/** The shared engine: the address is libpq's, `//user:password@host/database`. */
export const postgres: Engine = address => ({
  async open(options) {
    const { openPostgresStore } = await import('./postgres-store.ts')
    return openPostgresStore(address, options)
  },
  async migrate(datasets, options) {
    const { migrate } = await import('../earlier/postgres.ts')
    return migrate(address, datasets, options)
  },
  async finishMigration(datasets) {
    const { finishMigration } = await import('../earlier/postgres.ts')
    return finishMigration(address, datasets)
  },
  async checkReader(readUrl) {
    const { checkReader } = await import('./connect/reader-lag.ts')
    return checkReader(address, readUrl)
  },
})
