import { closeSync, openSync, readSync } from 'node:fs'
import { explainDenial } from '../../values/system/node-permission.ts'
import { StoreBusyError, StoreUnusableError } from '../store.ts'

/** SQLite's message for its own error (https://sqlite.org/rescode.html), or the system's or Node's code of any other error. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  // The package leaves out `errstr` in errors of reading rows. There, `message` is the same text.
  const { code = '', errstr = error.message } = error as Error & { code?: string; errstr?: string }
  return code === 'ERR_SQLITE_ERROR' ? errstr : code
}

const BUSY = 'database is locked'
const READONLY = 'attempt to write a readonly database'

/** Whether another process has a lock. */
export const isBusy = (error: unknown): boolean => faultOf(error) === BUSY

const DAMAGED = 'is damaged: restore it from a backup, or move the folder away and import the data again'
const DISK_FULL = 'cannot grow because the disk is full: free some space and try again'
const NOT_PERMITTED =
  'may not be written by this user: give the user that runs the service the right to write there, or set DATABASE_URL to another folder'

/** Faults of a file, each with the remedy. */
const REASONS: Readonly<Record<string, string>> = {
  'access permission denied': NOT_PERMITTED,
  [READONLY]:
    'cannot be written: give the user that runs the service the right to write there, or mount the disk for writing',
  'disk I/O error': 'cannot be read or written: the disk reports an error; check the disk and the free space',
  'database disk image is malformed': DAMAGED,
  'database or disk is full': DISK_FULL,
  'unable to open database file':
    'cannot be opened: check that the folder exists and that the user that runs the service may write there',
  'file is not a database':
    'is not a database: restore it from a backup, or move the folder away and import the data again',
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS:
    'is on a disk that is mounted read-only: mount it for writing, or set DATABASE_URL to another folder',
  ENOSPC: DISK_FULL,
  EDQUOT: "cannot grow because the user's quota is used up: free some space and try again",
  ENOTDIR: 'is not a folder, or lies below something that is not: set DATABASE_URL to another',
  EEXIST: 'is not a folder: set DATABASE_URL to another',
  EIO: 'cannot be read or written: the disk reports an error; check the disk',
}

/** The cause if Node's permission model keeps this process from writing. */
export const READ_ONLY = Object.assign(new Error('writing is denied'), { code: 'ERR_ACCESS_DENIED' })

const NOT_ALLOWED = [
  ...['access permission denied', READONLY, 'unable to open database file'],
  ...['EACCES', 'EPERM', 'EROFS', READ_ONLY.code],
]

/** Whether a mapped error means that this process lacks the right to write. */
export const isReadOnly = ({ cause }: StoreUnusableError): boolean => NOT_ALLOWED.includes(faultOf(cause))

/** Maps an error of the driver or the file system to an error with the fault of `path` and the remedy. */
export function toStoreError(error: unknown, path: string): unknown {
  if (isBusy(error))
    return new StoreBusyError(`${path} is held by another process: try again`, { cause: error })
  const denial = error instanceof Error ? explainDenial(error) : undefined
  if (denial !== undefined) return new StoreUnusableError(denial, { cause: error })
  const reason = REASONS[faultOf(error)]
  return reason === undefined ? error : new StoreUnusableError(`${path} ${reason}`, { cause: error })
}

/** The error for a damaged registry; `how` describes the damage. */
export const damagedRegistry = (path: string, how: string, cause?: unknown): StoreUnusableError =>
  new StoreUnusableError(`${path} ${DAMAGED.replace('damaged', `damaged (${how})`)}`, { cause })

/** Errors that statements never cause in an intact registry. */
const CONTRADICTION =
  /^(?:unsupported file format|no such (?:table|column)|table \w+ (?:has no column|already exists)|duplicate column|(?:UNIQUE|NOT NULL|CHECK|FOREIGN KEY) constraint failed|JSON cannot hold)/

/** Like {@link toStoreError}, for the registry: content that contradicts the tables or other content is damage. */
export function toRegistryError(error: unknown, path: string): unknown {
  if (error instanceof Error && CONTRADICTION.test(error.message))
    return damagedRegistry(path, 'it contradicts itself', error)
  // Without the cause, because {@link isReadOnly} would take this error for a missing right to write.
  if (faultOf(error) === READONLY && writeVersion(path) > NEWEST_WRITE_VERSION)
    return damagedRegistry(path, 'its format is unknown')
  return toStoreError(error, path)
}

/** SQLite does not write files of later versions (https://sqlite.org/fileformat.html#file_format_version_numbers). */
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
