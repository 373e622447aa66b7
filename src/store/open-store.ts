import { resolve } from 'node:path'
import type { StoreEngine, StoreOptions } from './engine.ts'
import { addHistory, readOrigins, removeBatch } from './readings/history-import.ts'
import { readKeptHistory, readReadings, readSummaries } from './readings/history-queries.ts'
import { insertObservation, readLatestObservation } from './readings/observations.ts'
import { dropHistory } from './readings/reading-rows.ts'
import { createJournal } from './registry/journal.ts'
import { createReleaseStore } from './registry/release-store.ts'
import { createStates } from './registry/states.ts'
import { readRevision } from './registry/tables.ts'
import { type ReadingStore, type Store, StoreUnusableError } from './store.ts'

/** Opens the store at an address, creating it unless `mustExist`. Throws the errors of {@link openEngine}. */
export async function openStore(databaseUrl: string, options?: StoreOptions): Promise<Store> {
  const engine = await openEngine(databaseUrl, options)
  return {
    ...engine,
    releases: createReleaseStore(engine, options?.keep),
    readings: createReadingStore(engine),
    journal: createJournal(engine.read, engine.write),
    ...createStates(engine.read, engine.write),
  }
}

/** Creates the store of readings over an engine. */
function createReadingStore(engine: StoreEngine): ReadingStore {
  const { read, writeHistory } = engine
  return {
    saveObservation: observation => insertObservation(engine.writeReadings, observation),
    latestObservation: () => read(readLatestObservation),
    saveHistory: (readings, source = '') => addHistory(engine, readings, source),
    origins: () => read(readOrigins),
    removeBatch: number => removeBatch(writeHistory, number),
    historyRevision: () => read(registry => readRevision(registry, 'history_revision')),
    keptHistory: () => read(readKeptHistory),
    readings: range => read(registry => readReadings(registry, range)),
    summaries: (range, width) => read(registry => readSummaries(registry, range, width)),
    dropHistory: async before => (engine.isReadOnly ? 0 : dropHistory(writeHistory, before)),
  }
}

/**
 * Opens the engine of the store at an address. The engine's code is loaded only then. Throws {@link NoStoreError} and {@link
 * StoreUnusableError}.
 */
export async function openEngine(databaseUrl: string, options: StoreOptions = {}): Promise<StoreEngine> {
  const folder = folderOf(databaseUrl)
  if (folder === undefined) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts')
    return openPostgresStore(databaseUrl, options)
  }
  if (options.readUrl !== undefined) throw noReader()
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts')
  return openSqliteStore(folder, options)
}

/**
 * The folder of a `sqlite:` address, relative to the working directory; undefined for
 * `postgres://user:password@host/database`. Throws {@link StoreUnusableError} for another scheme.
 */
export function folderOf(databaseUrl: string): string | undefined {
  const [, scheme = '', address = ''] = /^([a-z]+):(.*)$/s.exec(databaseUrl) ?? []
  if (address !== '' && scheme === 'sqlite') return resolve(address)
  if (address !== '' && /^postgres(?:ql)?$/.test(scheme)) return undefined
  // The message shows only the scheme: an address may contain a password.
  throw new StoreUnusableError(
    'a store\'s address is "sqlite:" and the path of a folder, such as sqlite:./data, or ' +
      `postgres://user:password@host/database${scheme && `; "${scheme}:" is neither`}`,
  )
}

/** Checks the server that releases are read from. */
export async function checkReader(databaseUrl: string, readUrl: string) {
  if (folderOf(databaseUrl) !== undefined) throw noReader()
  const { readerOf } = await import('./postgres/connect/session.ts')
  return readerOf(databaseUrl, readUrl)
}

const noReader = () =>
  new StoreUnusableError(
    'DATABASE_READ_URL is for stores on PostgreSQL alone: unset it, or set DATABASE_URL to postgres://…',
  )
