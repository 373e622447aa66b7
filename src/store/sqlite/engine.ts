import { resolve } from 'node:path'
import type { Engine, Migrated } from '../engine.ts'
import { StoreUnusableError } from '../store.ts'

/** The embedded engine: the address is a folder, relative to the working directory. */
export const sqlite: Engine = {
  schemes: ['sqlite'],
  at(address) {
    const folder = resolve(address)
    return {
      async open({ readUrl, ...options } = {}) {
        if (readUrl !== undefined) throw noReadHosts()
        const { openSqliteStore } = await import('./sqlite-store.ts')
        return openSqliteStore(folder, options)
      },
      async migrate() {
        const { MIGRATIONS } = await import('./registry.ts')
        const done: Migrated[] = []
        const store = await this.open({ onMigrated: migrated => done.push(migrated) })
        const [degraded] = store.degraded()
        await store.close()
        if (degraded !== undefined) throw new StoreUnusableError(degraded.detail)
        return done[0] ?? { from: MIGRATIONS.length, to: MIGRATIONS.length }
      },
      async openColumnScan(release, layout) {
        const { openSqliteColumnScan } = await import('./read/column-scan.ts')
        return openSqliteColumnScan(folder, release, layout)
      },
      async openMoment(datasets) {
        const store = await this.open({ mustExist: true })
        await store.close()
        const { openMoment } = await import('./transfer/moment.ts')
        return openMoment(folder, datasets)
      },
      async openLoadTarget(options) {
        await (await this.open()).close()
        const { openLoadTarget } = await import('./transfer/load-target.ts')
        return openLoadTarget(folder, options)
      },
      async checkReadHosts() {
        throw noReadHosts()
      },
    }
  },
}

const noReadHosts = () =>
  new StoreUnusableError(
    'DATABASE_READ_URL is for stores on PostgreSQL alone: unset it, or set DATABASE_URL to postgres://…',
  )
