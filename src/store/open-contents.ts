import { resolve } from 'node:path'
import { afterScheme, engineOf } from './address.ts'
import type { TableContents } from './contents.ts'
import type { TableLayout } from './layout.ts'
import { openSqliteContents } from './sqlite/read/open-contents.ts'
import type { Release } from './store.ts'

/** The column scan of a table, with its own connection or file. */
export interface OpenContents extends TableContents {
  close(): Promise<void>
}

type Open = (
  address: string,
  release: Release,
  layout: TableLayout,
  readUrl?: string | undefined,
) => Promise<OpenContents>

/** Loaded only when used. */
const openPostgres: Open = async (address, release, layout, readUrl) => {
  const { openPostgresContents } = await import('./postgres/read/open-contents.ts')
  return openPostgresContents(address, release, layout, readUrl && afterScheme(readUrl))
}

const ENGINES: Readonly<Record<string, Open>> = {
  sqlite: (folder, release, layout) => openSqliteContents(resolve(folder), release, layout),
  postgres: openPostgres,
  postgresql: openPostgres,
}

/**
 * Opens the column scan of a release that the caller has open, and thus verified, for another thread: this function
 * loads little code and verifies nothing. Throws {@link NoStoreError} and {@link DamagedReleaseError}.
 */
export async function openContents(
  databaseUrl: string,
  release: Release,
  layout: TableLayout,
  readUrl?: string | undefined,
): Promise<OpenContents> {
  const { open, address } = engineOf(ENGINES, databaseUrl)
  return open(address, release, layout, readUrl)
}
