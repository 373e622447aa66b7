import { CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { StoreError } from '../store/store.ts'
import { explainDenial } from '../values/system/node-permission.ts'
import { type ExitStatus, Refused, UsageError } from './cli.ts'
import { visible } from './output/text.ts'

/** The message of an error for standard error, and the exit status. */
export interface Failure {
  readonly status: ExitStatus
  readonly text: string
}

const USAGE = [UsageError, ConfigError]
const REFUSALS = [Refused, StoreError]

/** Descriptions of the operating system's errors. */
const SYSTEM_REFUSALS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'that is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full: free some space and try again',
  EDQUOT: "the user's quota is used up: free some space and try again",
  EFBIG: 'the disk takes no file of that size',
  EMFILE: 'too many files are open',
}

/** Describes in one line why a command failed. Only unexpected errors have a stack, and only on request. */
export function describeFailure(
  error: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): Failure {
  // Commander has written its message already.
  if (error instanceof CommanderError) return { status: error.exitCode === 0 ? 0 : 2, text: '' }
  if (!(error instanceof Error)) return unforeseen(new Error(String(error)), environment)
  if (USAGE.some(kind => error instanceof kind)) return { status: 2, text: oneLine(error.message) }
  if (REFUSALS.some(kind => error instanceof kind)) return { status: 1, text: oneLine(error.message) }
  const refusal = explainDenial(error) ?? systemRefusal(error)
  return refusal === undefined ? unforeseen(error, environment) : { status: 1, text: oneLine(refusal) }
}

function systemRefusal(error: NodeJS.ErrnoException): string | undefined {
  const words = SYSTEM_REFUSALS[error.code ?? '']
  if (words === undefined) return undefined
  return error.path === undefined ? words : `${error.path}: ${words}`
}

function unforeseen(error: Error, { LOG_LEVEL }: Readonly<Record<string, string | undefined>>): Failure {
  const shown = LOG_LEVEL === 'debug' || LOG_LEVEL === 'trace'
  const more = shown ? `${error.stack}\n` : 'LOG_LEVEL=debug shows where it happened.\n'
  return { status: 1, text: `${oneLine(`${error.message} (this is a bug)`)}${more}` }
}

function oneLine(message: string): string {
  return `error: ${visible(message)}\n`
}
