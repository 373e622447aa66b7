import type { Command } from 'commander'
import type { Config } from '../config.ts'
import type { Migrated } from '../store/engine.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { shownAddress } from '../values/addresses/shown-address.ts'

/** 0: success; 1: refused, nothing changed; 2: wrong usage (design 6). */
export type ExitStatus = 0 | 1 | 2

/** The interface of a command to its process. */
export interface Cli {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The configuration. Throws ConfigError. */
  config(): Config
  /** Sets the exit status of the process. */
  exitWith(status: ExitStatus): void
}

/** Adds a command to the program; one file per command. */
export type AddCommand = (program: Command, cli: Cli) => void

/** The command was refused and changed nothing: exit status 1. The message says in one line what to do. */
export class Refused extends Error {
  override name = 'Refused'
}

/** Wrong usage of the command: exit status 2. The message says in one line what is allowed. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/**
 * Opens the configured store, creating it if necessary and migrating it unless nothing is to be written, and closes it
 * after use; one in which nothing is written goes again.
 */
export async function withStore<T>(cli: Cli, dryRun: boolean, use: (store: Store) => Promise<T>): Promise<T> {
  const { DATABASE_URL } = cli.config()
  const onMigrated = dryRun ? undefined : sayingMigrated(DATABASE_URL)
  return using(await openStore(DATABASE_URL, { discardUnused: true, onMigrated }), use)
}

/** Returns what says in one line that a store was migrated, on standard error unless told; a new store is no news. */
export const sayingMigrated =
  (databaseUrl: string, say = (line: string): unknown => process.stderr.write(`${line}\n`)) =>
  ({ from, to }: Migrated): void => {
    const versions = `the schema went from version ${from} to ${to}, and older versions cannot open it any more`
    if (from > 0) say(`${shownAddress(databaseUrl)}: ${versions}`)
  }

/**
 * Opens the configured store, which is never migrated here, and closes it after use. It must exist: else a reading command
 * runs in the wrong folder.
 */
export async function withExistingStore<T>(cli: Cli, use: (store: Store) => Promise<T>): Promise<T> {
  return using(await openStore(cli.config().DATABASE_URL, { mustExist: true }), use)
}

async function using<T>(store: Store, use: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
