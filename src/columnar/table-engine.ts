import type { Config } from '../config.ts'
import type { Collection } from '../query/collection.ts'
import type { TableLayout } from '../store/layout.ts'
import { type OpenRelease, StoreBusyError, StoreUnusableError } from '../store/store.ts'
import { loadColumnarTable } from './build/load.ts'
import type { ColumnarTable } from './columnar-table.ts'

/** Larger tables are queried in SQL unless the operator chooses memory. */
export const MAX_ROWS_IN_MEMORY = 5_000_000

interface TableLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Loads an open release into memory, with at most `prerenderBytes` of prerendered rows. */
export type LoadIntoMemory = (
  open: OpenRelease,
  layout: TableLayout,
  prerenderBytes: number,
) => Promise<ColumnarTable>

/**
 * Returns the function that opens the collection of a release: a columnar table in memory or, by configuration or
 * number of rows, the store's own table. A release that cannot be loaded into memory is queried in SQL too.
 */
export function tableLoader(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_READ_URL' | 'TABLE_ENGINE' | 'TABLE_PRERENDER_MB'>,
  log: TableLog,
  loadIntoMemory: LoadIntoMemory = inWorkerThread(config),
): (open: OpenRelease, layout: TableLayout) => Promise<Collection> {
  return async (open, layout) => {
    const { release, table } = open
    if (table === undefined) throw new TypeError(`${release.dataset} is not a table`)
    const engine = config.TABLE_ENGINE ?? (release.rows <= MAX_ROWS_IN_MEMORY ? 'memory' : 'sql')
    if (engine === 'sql') return table
    const about = { dataset: release.dataset, release: release.number }
    const start = performance.now()
    try {
      const loaded = await loadIntoMemory(open, layout, config.TABLE_PRERENDER_MB * 2 ** 20)
      const { bytes, isPrerendered } = loaded
      log.info(
        { event: 'table-loaded', ...about, bytes, isPrerendered, ms: Math.round(performance.now() - start) },
        'release loaded into memory',
      )
      return loaded
    } catch (err) {
      // SQL would fail in the same way; the release is opened again later.
      if (err instanceof StoreUnusableError || err instanceof StoreBusyError) throw err
      log.error(
        { event: 'table-not-loaded', ...about, err },
        'release cannot be loaded into memory: its queries run in SQL',
      )
      return table
    }
  }
}

const inWorkerThread =
  ({
    DATABASE_URL: databaseUrl,
    DATABASE_READ_URL: readUrl,
  }: Pick<Config, 'DATABASE_URL' | 'DATABASE_READ_URL'>): LoadIntoMemory =>
  ({ release }, layout, prerenderBytes) =>
    loadColumnarTable({ databaseUrl, readUrl, release, layout, prerenderBytes })
