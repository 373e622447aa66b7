import type { Config } from '../config.ts'
import type { Collection } from '../query/collection.ts'
import type { TableLayout } from '../store/layout.ts'
import { type OpenRelease, StoreBusyError, StoreUnusableError } from '../store/store.ts'
import { loadRegister } from './build/load.ts'
import type { Register } from './columnar-table.ts'

/** Beyond so many rows a table is left to SQL unless the operator wants it in memory. */
export const MOST_ROWS_IN_MEMORY = 5_000_000

interface RegisterLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Brings an open release into memory; `readyBytes` is the most memory that rows may take as they are sent. */
export type BringIntoMemory = (
  open: OpenRelease,
  layout: TableLayout,
  readyBytes: number,
) => Promise<Register>

/**
 * Makes the function that gives what answers for an open release: a register in memory or, as the configuration or the
 * number of rows has it, the release's own table. What cannot be brought into memory is answered by that table too.
 */
export function registerChooser(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_READ_URL' | 'TABLE_ENGINE' | 'TABLE_PRERENDER_MB'>,
  log: RegisterLog,
  bringIntoMemory: BringIntoMemory = inThread(config),
): (open: OpenRelease, layout: TableLayout) => Promise<Collection> {
  return async (open, layout) => {
    const { release, table } = open
    if (table === undefined) throw new TypeError(`${release.dataset} is not a table`)
    const place = config.TABLE_ENGINE ?? (release.rows <= MOST_ROWS_IN_MEMORY ? 'memory' : 'sql')
    if (place === 'sql') return table
    const about = { dataset: release.dataset, release: release.number }
    const start = performance.now()
    try {
      const register = await bringIntoMemory(open, layout, config.TABLE_PRERENDER_MB * 2 ** 20)
      const { bytes, hasReadyRows } = register
      const ms = Math.round(performance.now() - start)
      log.info({ ...about, bytes, hasReadyRows, ms }, 'a release is in memory')
      return register
    } catch (err) {
      // It would be asked in vain as well; the release is tried again.
      if (err instanceof StoreUnusableError || err instanceof StoreBusyError) throw err
      log.error({ ...about, err }, 'a release cannot be held in memory: it is answered by SQL')
      return table
    }
  }
}

/** By a thread of its own, which opens the release again. */
const inThread =
  ({
    DATABASE_URL: databaseUrl,
    DATABASE_READ_URL: readUrl,
  }: Pick<Config, 'DATABASE_URL' | 'DATABASE_READ_URL'>): BringIntoMemory =>
  ({ release }, layout, readyBytes) =>
    loadRegister({ databaseUrl, readUrl, release, layout, readyBytes })
