import { DEFAULT_TABLES, type Engine } from '../engine.ts'
import { StoreUnusableError } from '../store.ts'

/** The shared engine: the address is libpq's, `//user:password@host/database`. */
export const postgres: Engine = address => ({
  async open({ readUrl, ...options } = {}) {
    const { openPostgresStore } = await import('./postgres-store.ts')
    return openPostgresStore(address, { ...options, readFrom: readUrl && afterScheme(readUrl) })
  },
  async migrate(datasets, options) {
    const { migrate } = await import('../earlier/postgres.ts')
    return migrate(address, datasets, options)
  },
  async finishMigration(datasets) {
    const { finishMigration } = await import('../earlier/postgres.ts')
    return finishMigration(address, datasets)
  },
  async openMoment() {
    const { openMoment } = await import('./transfer/moment.ts')
    return openMoment(address)
  },
  async openLoadTarget({ tables = DEFAULT_TABLES, ...options }) {
    const { openLoadTarget } = await import('./transfer/load-target.ts')
    return openLoadTarget(address, options, tables)
  },
  async checkReader(readUrl) {
    const { checkReader } = await import('./connect/reader-lag.ts')
    return checkReader(address, afterScheme(readUrl))
  },
})

function afterScheme(readUrl: string): string {
  const [, address] = /^postgres(?:ql)?:(.*)$/s.exec(readUrl) ?? []
  if (address === undefined)
    throw new StoreUnusableError(
      'the address to read from (DATABASE_READ_URL) is postgres://user:password@host/database',
    )
  return address
}
