import type { Engine } from '../engine.ts'
import { StoreUnusableError } from '../store.ts'

/** The shared engine: the address is libpq's, `//user:password@host/database`. */
export const postgres: Engine = {
  schemes: ['postgres', 'postgresql'],
  at: address => ({
    async open({ readUrl, ...options } = {}) {
      const { openPostgresStore } = await import('./postgres-store.ts')
      return openPostgresStore(address, { ...options, readFrom: readUrl && afterScheme(readUrl) })
    },
    async migrate() {
      const [{ migrate }, { readAddress }] = await Promise.all([
        import('./migrate.ts'),
        import('./connect/address.ts'),
      ])
      return migrate(readAddress(address), { onMigrated: () => {} })
    },
    async openColumnScan(release, layout, readUrl) {
      const { openPostgresColumnScan } = await import('./read/column-scan.ts')
      return openPostgresColumnScan(address, release, layout, readUrl && afterScheme(readUrl))
    },
    async openMoment() {
      const [{ migrate }, { readAddress }, { openMoment }] = await Promise.all([
        import('./migrate.ts'),
        import('./connect/address.ts'),
        import('./transfer/moment.ts'),
      ])
      const target = readAddress(address)
      await migrate(target, { mustExist: true })
      return openMoment(target)
    },
    async openLoadTarget(options) {
      const [{ migrate }, { readAddress }, { openLoadTarget }] = await Promise.all([
        import('./migrate.ts'),
        import('./connect/address.ts'),
        import('./transfer/load-target.ts'),
      ])
      const target = readAddress(address)
      await migrate(target)
      return openLoadTarget(target, options)
    },
    async checkReadHosts(readUrl) {
      const { checkPostgresReadHosts } = await import('./connect/read-hosts.ts')
      return checkPostgresReadHosts(address, afterScheme(readUrl))
    },
  }),
}

function afterScheme(readUrl: string): string {
  const [scheme = '', address] = readUrl.split(/:(.*)/s)
  if (address === undefined || !postgres.schemes.includes(scheme))
    throw new StoreUnusableError(
      'the address to read from (DATABASE_READ_URL) is postgres://user:password@host,host/database',
    )
  return address
}
