import { shownAddress } from '../../values/addresses/shown-address.ts'
import { abortable } from '../../values/promises.ts'
import type { StoreOptions } from '../engine.ts'
import { openEngine } from '../open-store.ts'
import type { StageOptions, StoredDataset } from '../store.ts'
import { type Header, openBackup, STANDARD, type WriteOptions, writeBackup } from './backup-file.ts'
import { fill } from './fill.ts'
import { type BackupReader, checkLines, openLines } from './read-lines.ts'
import { type StoreMoment, storeLines } from './store-lines.ts'
import { type Carried, createTally, type Tally, type TallyOptions } from './tally.ts'

export type { Carried }

export interface TransferOptions
  extends TallyOptions,
    Pick<StageOptions, 'waitMs' | 'onWait'>,
    Pick<StoreOptions, 'tables'> {
  /** The datasets of this version of the service. */
  readonly datasets: readonly StoredDataset[]
}

/** A backup file that was written, verified or restored. */
export interface Backup extends Carried, Pick<Header, 'at' | 'engine' | 'schema'> {
  readonly bytes: number
  /** The SHA-256 of all lines except the last, which contains it. */
  readonly sha256: string
}

/** Writes the content of a store to a file, or to standard output for `-`, which {@link restore} can read into any engine. */
export function backUp(
  from: string,
  path: string,
  options: TransferOptions & Pick<WriteOptions, 'replace'>,
): Promise<Backup> {
  return reading(from, options, async moment => {
    const tally = createTally(options)
    let sha256 = ''
    async function* lines(): AsyncGenerator<Buffer> {
      sha256 = yield* storeLines(moment, { ...options, tally })
    }
    const bytes = await writeBackup(lines(), path, options)
    const { at, engine, schema } = moment
    return { at, engine, schema, ...tally.carried, bytes, sha256 }
  })
}

/** Reads a backup file, or standard input for `-`, to its end. Throws {@link DamagedBackupError} unless it is whole. */
export function verifyBackup(path: string, options: TransferOptions): Promise<Backup> {
  return readFile(path, options, checkLines)
}

/** Fills an empty store from a backup file, or from standard input for `-`, all or nothing. */
export function restore(path: string, to: string, options: TransferOptions): Promise<Backup> {
  return readFile(path, options, (lines, tally) => fillStore(to, options, tally, lines))
}

/** Fills an empty store with the content of another store, all or nothing: a backup that is restored while it is written. */
export function copyStore(from: string, to: string, options: TransferOptions): Promise<Carried> {
  return reading(from, options, async moment => {
    const { signal, datasets } = options
    const lines = storeLines(moment, { datasets, tally: createTally({ signal }), longest: Infinity })
    const tally = createTally(options)
    await fillStore(to, options, tally, await openLines(lines, { datasets, tally, name: shownAddress(from) }))
    return tally.carried
  })
}

/** Opens a store as it is now, and closes it after use. */
async function reading<T>(
  from: string,
  { signal }: TransferOptions,
  use: (moment: StoreMoment) => Promise<T>,
): Promise<T> {
  const opening = openMoment(from)
  try {
    return await use(await abortable(opening, signal))
  } finally {
    // Closes the store even if it opens after the signal is aborted.
    const closing = opening.then(moment => moment.end())
    await abortable(closing, signal).catch(() => undefined)
  }
}

/** Opens a store as it is now; later publishing and pruning stay invisible. */
export async function openMoment(address: string): Promise<StoreMoment> {
  const { openRelease, close, ...engine } = await openEngine(address, { mustExist: true })
  try {
    const moment = await engine.openMoment()
    return {
      ...moment,
      at: new Date().toISOString(),
      openRelease,
      end: () => moment.end().finally(close),
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function readFile(
  path: string,
  options: TransferOptions,
  read: (lines: BackupReader, tally: Tally) => Promise<string>,
): Promise<Backup> {
  const { lines, bytesRead, bytesTotal, close } = await openBackup(path)
  try {
    const tally = createTally(options, () => ({ bytesRead: bytesRead(), bytesTotal }))
    const name = path === STANDARD ? 'standard input' : path
    const opened = await openLines(lines, { ...options, tally, name })
    const sha256 = await read(opened, tally)
    return { ...opened.header, ...tally.carried, bytes: bytesTotal ?? bytesRead(), sha256 }
  } finally {
    close()
  }
}

async function fillStore(
  address: string,
  options: TransferOptions,
  tally: Tally,
  lines: BackupReader,
): Promise<string> {
  const { tables, waitMs, onWait, signal } = options
  const engine = await openEngine(address, { tables })
  try {
    const writer = await engine.lock({ waitMs, onWait, signal })
    try {
      return await fill(engine, writer, tally, lines)
    } finally {
      await writer.unlock()
    }
  } finally {
    await engine.close()
  }
}
