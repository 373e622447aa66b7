import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { tableOptions } from '../store/engine.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

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

/** Opens the configured store, creating it if necessary, and closes it after use; one in which nothing is written goes again. */
export async function withStore<T>(cli: Cli, use: (store: Store) => Promise<T>): Promise<T> {
  const config = cli.config()
  return using(
    await openStore(config.DATABASE_URL, { discardUnused: true, tables: tableOptions(config) }),
    use,
  )
}

/**
 * Opens the configured store, and closes it after use. It must exist: else a reading command runs in the wrong folder.
 */
export async function withExistingStore<T>(cli: Cli, use: (store: Store) => Promise<T>): Promise<T> {
  const config = cli.config()
  return using(await openStore(config.DATABASE_URL, { mustExist: true, tables: tableOptions(config) }), use)
}

async function using<T>(store: Store, use: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
