import { DatabaseError } from 'pg'
import { DamagedReleaseError, StoreBusyError, StoreError, StoreUnusableError } from '../../store.ts'
import type { Target } from './address.ts'

/** Maps an error to one that gives the store's fault and the remedy. */
export type ToStoreError = (error: unknown, target: Pick<Target, 'shown'>) => unknown

/** The SQLSTATE of a server's error (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined
}

/** Faults that an operator can fix, by SQLSTATE or the code of a network error. */
const UNUSABLE: Readonly<Record<string, string>> = {
  '08006': 'has no connection to a server behind it: check that the workers of Citus are running',
  '25006': 'is a standby or read-only: name the address that leads to the primary',
  '28000': "refuses this user: check the user, TLS (sslmode) and the server's pg_hba.conf",
  '28P01': 'refuses the user or the password: check both in the address',
  '3D000': 'does not exist: create it, or name another',
  '42501': 'does not give this user permission to do that: make the user the owner of the schema',
  '53100': 'cannot grow because the disk is full: free some space on the server and try again',
  '53200': 'has no memory left: free some on the server and try again',
  '57P01': 'is shutting down: try again when it is back',
  '57P02': 'has crashed: try again when it is back',
  '57P03': 'is starting up or shutting down: try again when it is back',
  '58030': 'had an error of input or output: check its disk, and the workers of Citus',
  ECONNREFUSED: 'refuses connections: start PostgreSQL there, or check host and port',
  ENOENT: 'has no socket there: start PostgreSQL there, or check the folder of the socket',
  ENOTFOUND: 'has a host that is not known: check the name',
  EAI_AGAIN: 'has a host whose name cannot be looked up now: check the name and the name servers',
}

/** Transient errors, by SQLSTATE. */
const BUSY: Readonly<Record<string, string>> = {
  '40001': 'had a conflicting change: try again',
  '40P01': 'had a conflicting change: try again',
  '53300': 'has no connection left: raise max_connections, or lower pool_size and the number of instances',
  '55P03': 'is held by another process: try again',
  '57014': 'took too long to respond: try again',
}

/** Faults for which the driver has only messages, no codes. */
const CONFIGURED_WRONG: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, 'does not offer TLS: set it up there, or leave sslmode out'],
  [
    /certificate|altnames|unable to verify/i,
    "has a certificate that cannot be verified: check sslmode, sslrootcert and the host's name",
  ],
  [/password must be/, 'requires a password: add one to the URL'],
]

/** Maps an error of the driver or the server to one that gives the database's fault and the remedy. */
export function toStoreError(error: unknown, { shown }: Pick<Target, 'shown'>): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const code = 'code' in error ? String(error.code) : ''
  if (sqlState(error)?.startsWith('28')) forgetUser(error, code)
  const busy = BUSY[code]
  if (busy !== undefined) return new StoreBusyError(`${shown} ${busy}`, { cause: error })
  const reason = UNUSABLE[code] ?? (error instanceof DatabaseError ? undefined : lost(error.message, code))
  return reason === undefined ? error : new StoreUnusableError(`${shown} ${reason}`, { cause: error })
}

/** Removes the server's words from an error: they name the user, and logs print the cause of an error. */
function forgetUser(error: Error, state: string): void {
  Object.assign(error, { message: `SQLSTATE ${state}`, stack: `SQLSTATE ${state}` })
}

/** The fault of a server according to an error of the driver or the network. */
function lost(message: string, code: string): string | undefined {
  const isLost =
    /^E[A-Z]+$/.test(code) || /timeout|Connection terminated|not queryable|Client was closed/i.test(message)
  return (
    configuredWrong(message) ??
    (isLost ? 'does not respond: check that it is running and reachable' : undefined)
  )
}

const configuredWrong = (message: string): string | undefined =>
  CONFIGURED_WRONG.find(([pattern]) => pattern.test(message))?.[1]

/** Like {@link toStoreError}, for reading a release: a missing table or page means that the release is damaged. */
export function toReadError(error: unknown, target: Pick<Target, 'shown'>): unknown {
  return isDamage(error)
    ? new DamagedReleaseError('a release cannot be read: its tables differ from the published tables', {
        cause: error,
      })
    : toStoreError(error, target)
}

/** Whether the query may succeed on another server, or over another connection. */
export function isTransient(error: unknown): boolean {
  if (error instanceof StoreBusyError) return false
  const state = sqlState(error)
  return state === undefined || /^(?:08|40|53300|57P|58)/.test(state)
}

/** Whether a failure to connect or to answer is the server's fault; a lack of free connections is not. */
export function isOutage(error: unknown): boolean {
  return !(error instanceof StoreBusyError) && !sqlState(error)?.startsWith('53')
}

/** Whether part of a release is missing on the server, or unreadable. */
export function isDamage(error: unknown): boolean {
  const state = sqlState(error)
  return state === '42P01' || state === '42703' || state?.startsWith('XX') === true
}

/** Whether a store error may pass without an operator: its server is unavailable and may return. */
export function mayRecover(error: unknown): boolean {
  if (error instanceof StoreBusyError) return true
  if (!(error instanceof StoreUnusableError) || !(error.cause instanceof Error)) return false
  const state = sqlState(error.cause)
  return state === undefined
    ? configuredWrong(error.cause.message) === undefined
    : /^(?:08|53|57P0[123]|58)/.test(state)
}

/** Whether a mapped error says that the server is a standby or the user lacks the privilege. */
export function mayNotWrite(error: unknown): boolean {
  const state = error instanceof Error ? sqlState(error.cause) : undefined
  return state === '25006' || state === '42501'
}

/** Whether a mapped error says that the server ended a transaction because of another one. */
export function isConflict(error: unknown): boolean {
  const state = error instanceof StoreBusyError ? sqlState(error.cause) : undefined
  return state === '40001' || state === '40P01'
}

/** Whether a connection is useless after an error: it is lost, its server is a standby now, or a worker behind it hangs. */
export function endsConnection(error: unknown): boolean {
  const state = sqlState(error)
  return state === undefined || state === '25006' || /^(?:08|57|58)/.test(state)
}
