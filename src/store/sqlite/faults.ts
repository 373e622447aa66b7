import { DamagedReleaseError, StoreBusyError, StoreUnusableError } from '../store.ts'

/** The primary result code of SQLite that an error carries, if it is one (https://sqlite.org/rescode.html). */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  // The package leaves out the code of an error that occurs while rows are read.
  return 'code' in error && error.code === 'ERR_SQLITE_ERROR' ? CODES[error.message] : undefined
}

export const BUSY = 5
const CORRUPT = 11

/** Codes by SQLite's own text (sqlite3_errstr). */
const CODES: Readonly<Record<string, number>> = {
  'access permission denied': 3,
  'database is locked': BUSY,
  'out of memory': 7,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': CORRUPT,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'file is not a database': 26,
}

const SQLITE: Readonly<Record<number, string>> = {
  3: 'may not be written by this user: give the user that runs the service the right to write there',
  8: 'cannot be written: give the user that runs the service the right to write there, or mount the disk for writing',
  10: 'cannot be read or written: the disk reports an error; check the disk and the free space',
  11: 'is damaged: restore it from a backup, or move the folder away and import the data again',
  13: 'cannot grow because the disk is full: free some space and try again',
  14: 'cannot be opened: check that the folder exists and that the user that runs the service may write there',
  26: 'is not a database: restore it from a backup, or move the folder away and import the data again',
}

const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: 'may not be written by this user: give the user that runs the service the right to write there',
  EPERM: 'may not be written by this user: give the user that runs the service the right to write there',
  EROFS: 'is on a disk that is mounted read-only: mount it for writing, or name another folder',
  ENOSPC: 'cannot grow because the disk is full: free some space and try again',
  EDQUOT: "cannot grow because the user's quota is used up: free some space and try again",
  ENOTDIR: 'is not a folder, or lies below something that is not: name another folder',
  EEXIST: 'is not a folder: name another one',
  EIO: 'cannot be read or written: the disk reports an error; check the disk',
}

/** Maps an error of the driver or the file system to one that gives the fault of `path` and the remedy. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = resultCode(error)
  if (code === BUSY)
    return new StoreBusyError(`${path} is held by another process: try again`, { cause: error })
  const system = error instanceof Error && 'code' in error ? SYSTEM[String(error.code)] : undefined
  const reason = code === undefined ? system : SQLITE[code]
  return reason === undefined ? error : new StoreUnusableError(`${path} ${reason}`, { cause: error })
}

/** As {@link toStoreError}, for reading a release: bad bytes mean that the release is damaged. */
export function toReadError(error: unknown, path: string): unknown {
  const code = resultCode(error)
  const badBytes = code === CORRUPT || code === 10 || code === 26
  return badBytes
    ? new DamagedReleaseError(`${path} cannot be read: its bytes have changed`, { cause: error })
    : toStoreError(error, path)
}
