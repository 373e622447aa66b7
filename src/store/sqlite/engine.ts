import { resolve } from 'node:path'
import { DEFAULT_TABLES, type Engine, type TableOptions } from '../engine.ts'
import { StoreUnusableError } from '../store.ts'

/** The embedded engine: the address is a folder, relative to the working directory. */
export const sqlite: Engine = address => {
  const folder = resolve(address)
  return {
    async open({ readUrl, tables, ...options } = {}) {
      if (readUrl !== undefined) throw noReader()
      const { openSqliteStore } = await import('./sqlite-store.ts')
      return openSqliteStore(folder, { ...options, tables: tablesIn(tables) })
    },
    async migrate(datasets, { tables, ...options }) {
      const { migrate } = await import('../earlier/sqlite.ts')
      return migrate(folder, datasets, { ...options, tables: tablesIn(tables) })
    },
    async finishMigration(datasets) {
      const { finishMigration } = await import('../earlier/sqlite.ts')
      return finishMigration(folder, datasets, DEFAULT_TABLES)
    },
    async checkReader() {
      throw noReader()
    },
  }
}

function tablesIn(tables: TableOptions | undefined): TableOptions {
  if (tables?.engine === 'sql')
    throw new StoreUnusableError(
      'TABLE_ENGINE=sql is for stores on PostgreSQL alone: unset it, or set DATABASE_URL to postgres://…',
    )
  return tables ?? DEFAULT_TABLES
}

const noReader = () =>
  new StoreUnusableError(
    'DATABASE_READ_URL is for stores on PostgreSQL alone: unset it, or set DATABASE_URL to postgres://…',
  )
