import { closeSync, openSync, readSync } from 'node:fs'
import { explainDenial } from '../../values/node-permission.ts'
import { StoreBusyError, StoreUnusableError } from '../store.ts'

/** The primary result code of SQLite that an error carries, if it is one (https://sqlite.org/rescode.html). */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  // The package leaves out the code of an error that occurs while rows are read.
  return 'code' in error && error.code === 'ERR_SQLITE_ERROR' ? CODES[error.message] : undefined
}

export const BUSY = 5
const READONLY = 8

/** Codes by SQLite's own text (sqlite3_errstr). */
const CODES: Readonly<Record<string, number>> = {
  'access permission denied': 3,
  'database is locked': BUSY,
  'out of memory': 7,
  'attempt to write a readonly database': READONLY,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'file is not a database': 26,
}

const DAMAGED = 'is damaged: restore it from a backup, or move the folder away and import the data again'

const NOT_PERMITTED =
  'may not be written by this user: give the user that runs the service the right to write there, or set DATABASE_URL to another folder'

const SQLITE: Readonly<Record<number, string>> = {
  3: NOT_PERMITTED,
  8: 'cannot be written: give the user that runs the service the right to write there, or mount the disk for writing',
  10: 'cannot be read or written: the disk reports an error; check the disk and the free space',
  11: DAMAGED,
  13: 'cannot grow because the disk is full: free some space and try again',
  14: 'cannot be opened: check that the folder exists and that the user that runs the service may write there',
  26: 'is not a database: restore it from a backup, or move the folder away and import the data again',
}

const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS:
    'is on a disk that is mounted read-only: mount it for writing, or set DATABASE_URL to another folder',
  ENOSPC: 'cannot grow because the disk is full: free some space and try again',
  EDQUOT: "cannot grow because the user's quota is used up: free some space and try again",
  ENOTDIR: 'is not a folder, or lies below something that is not: set DATABASE_URL to another',
  EEXIST: 'is not a folder: set DATABASE_URL to another',
  EIO: 'cannot be read or written: the disk reports an error; check the disk',
}

/** The cause where Node's permission model keeps this process from writing. */
export const READ_ONLY = Object.assign(new Error('writing is denied'), { code: 'ERR_ACCESS_DENIED' })

/** Whether a mapped error says that this process may not write, rather than that it cannot. */
export function isReadOnly({ cause }: StoreUnusableError): boolean {
  const code = resultCode(cause)
  if (code !== undefined) return code === 3 || code === 8 || code === 14
  return cause instanceof Error && 'code' in cause && NOT_ALLOWED.includes(String(cause.code))
}

const NOT_ALLOWED = ['EACCES', 'EPERM', 'EROFS', 'ERR_ACCESS_DENIED']

/** Maps an error of the driver or the file system to one that gives the fault of `path` and the remedy. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = resultCode(error)
  if (code === BUSY)
    return new StoreBusyError(`${path} is held by another process: try again`, { cause: error })
  const denial = error instanceof Error ? explainDenial(error) : undefined
  if (denial !== undefined) return new StoreUnusableError(denial, { cause: error })
  const system = error instanceof Error && 'code' in error ? SYSTEM[String(error.code)] : undefined
  const reason = code === undefined ? system : SQLITE[code]
  return reason === undefined ? error : new StoreUnusableError(`${path} ${reason}`, { cause: error })
}

/** A registry of this path that is damaged; `how` says what was found. */
export const damagedRegistry = (path: string, how: string, cause?: unknown): StoreUnusableError =>
  new StoreUnusableError(`${path} ${DAMAGED.replace('damaged', `damaged (${how})`)}`, { cause })

/** What no right statement of the registry's ends in. */
const CONTRADICTION =
  /^(?:unsupported file format|no such (?:table|column)|table \w+ (?:has no column|already exists)|duplicate column|(?:UNIQUE|NOT NULL|CHECK|FOREIGN KEY) constraint failed|JSON cannot hold)/

/** As {@link toStoreError}, for the registry: what contradicts its tables and its other content is damage. */
export function toRegistryError(error: unknown, path: string): unknown {
  if (error instanceof Error && CONTRADICTION.test(error.message))
    return damagedRegistry(path, 'it contradicts itself', error)
  // Without its cause, by which it would pass for a store that this process may only read.
  if (resultCode(error) === READONLY && writeVersion(path) > NEWEST_WRITE_VERSION)
    return damagedRegistry(path, 'its format is unknown')
  return toStoreError(error, path)
}

/** SQLite does not write a file of a later version (https://sqlite.org/fileformat.html#file_format_version_numbers). */
const NEWEST_WRITE_VERSION = 2
const WRITE_VERSION_AT = 18

function writeVersion(path: string): number {
  const file = openSync(path, 'r')
  try {
    const byte = Buffer.alloc(1)
    readSync(file, byte, 0, 1, WRITE_VERSION_AT)
    return byte.readUInt8()
  } finally {
    closeSync(file)
  }
}
