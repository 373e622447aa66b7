import type { Command } from 'commander'
import type { Config } from '../config.ts'

/** 0 done; 1 refused, nothing changed; 2 wrong usage (design 6). */
export type ExitStatus = 0 | 1 | 2

/** What a command may ask of the process it runs in. */
export interface Cli {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The configuration. Throws ConfigError. */
  config(): Config
  /** Makes this the status with which the process ends. */
  exitWith(status: ExitStatus): void
}

/** Adds a command to the program. One file a command. */
export type AddCommand = (program: Command, cli: Cli) => void

/** The command cannot do what was asked and has changed nothing: exit status 1. The message is one line with what to do. */
export class Refused extends Error {
  override name = 'Refused'
}

/** The command was called wrongly: exit status 2. The message is one line with what is allowed. */
export class UsageError extends Error {
  override name = 'UsageError'
}
