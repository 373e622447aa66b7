import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { type StoreOptions, storeOptions } from '../store/engine.ts'
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

/** Gives a command of the program its description, arguments, options and action; one file per command. */
export type DefineCommand = (command: Command, cli: Cli) => void

/** The command was refused and changed nothing: exit status 1. The message says in one line what to do. */
export class Refused extends Error {
  override name = 'Refused'
}

/** Wrong usage of the command: exit status 2. The message names the allowed usage in one line. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Returns a function that opens the configured store with these options, and closes it after use. */
const storeOpener =
  (options: StoreOptions) =>
  async <T>(cli: Cli, use: (store: Store) => Promise<T>): Promise<T> => {
    const config = cli.config()
    const store = await openStore(config.DATABASE_URL, { ...options, ...storeOptions(config) })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }

/** Uses the configured store, and creates it if necessary. */
export const withStore = storeOpener({})

/** Uses the configured store, which must exist: a command that only reads would otherwise run in the wrong folder. */
export const withExistingStore = storeOpener({ mustExist: true })
