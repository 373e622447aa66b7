import { abortable } from '../../values/promises.ts'
import type { StoreOptions } from '../engine.ts'
import { storeAt } from '../open-store.ts'
import type { StageOptions } from '../store.ts'
import { readThrough } from './backup-lines.ts'
import type { Dump, StoredDataset } from './dump.ts'
import { load } from './load.ts'
import { type OpenBackup, openBackup } from './read-backup.ts'
import { dumpOf } from './store-dump.ts'
import type { Carried, CarryOptions } from './tally.ts'
import { type Backup, type WriteOptions, writeBackup } from './write-backup.ts'

export type { Backup, Carried }

export interface TransferOptions
  extends Omit<CarryOptions, 'onProgress'>,
    Pick<StageOptions, 'waitMs' | 'onWait'>,
    Pick<StoreOptions, 'tables'> {
  /** The datasets of this version of the service. */
  readonly datasets: readonly StoredDataset[]
  readonly onProgress?: (progress: TransferProgress) => void
}

/** As an import's progress. `bytesTotal` is null for a store. */
export interface TransferProgress {
  readonly rows: number
  readonly bytesRead: number
  readonly bytesTotal: number | null
  readonly phase?: string
}

/** Writes all that a store keeps now to a file, from which {@link restore} makes it again on any engine. */
export function backUp(
  from: string,
  path: string,
  options: TransferOptions & Pick<WriteOptions, 'replace'>,
): Promise<Backup> {
  const { replace } = options
  return reading(openDump(from, options), dump =>
    writeBackup(dump, path, { ...carryOptions(options), replace }),
  )
}

/** Reads a backup file to its end. Throws {@link DamagedBackupError} unless it is whole. */
export function verifyBackup(path: string, options: TransferOptions): Promise<Backup> {
  return reading(openBackup(path, options.datasets), async backup => {
    const carried = await readThrough(backup, carryOptions(options, backup))
    return { ...backup.header, ...carried, bytes: backup.bytesTotal, sha256: backup.sha256() }
  })
}

/** Fills an empty store from a backup file, all or nothing. */
export function restore(path: string, to: string, options: TransferOptions): Promise<Carried> {
  return reading(openBackup(path, options.datasets), backup =>
    loadInto(to, backup, options, carryOptions(options, backup)),
  )
}

/** Fills an empty store with what another store keeps now, all or nothing. */
export function copyStore(from: string, to: string, options: TransferOptions): Promise<Carried> {
  return reading(openDump(from, options), dump => loadInto(to, dump, options, carryOptions(options)))
}

async function openDump(from: string, { datasets, signal }: TransferOptions): Promise<Dump> {
  const opening = storeAt(from).openMoment(datasets)
  try {
    return dumpOf(await abortable(opening, signal), datasets, signal)
  } catch (error) {
    void opening.then(late => late.close()).catch(() => undefined)
    throw error
  }
}

async function loadInto(
  to: string,
  dump: Dump,
  { datasets, tables, waitMs, onWait, signal }: TransferOptions,
  carrying: CarryOptions,
): Promise<Carried> {
  const target = await storeAt(to).openLoadTarget({ tables, waitMs, onWait, signal })
  try {
    return await load(dump, target, datasets, carrying)
  } finally {
    await target.close()
  }
}

async function reading<D extends Dump, T>(opening: Promise<D>, use: (dump: D) => Promise<T>): Promise<T> {
  const dump = await opening
  try {
    return await use(dump)
  } finally {
    await dump.close()
  }
}

const carryOptions = (
  { onProgress, signal }: TransferOptions,
  backup?: Pick<OpenBackup, 'bytesRead' | 'bytesTotal'>,
): CarryOptions => ({
  signal,
  onProgress(rows, phase) {
    const bytes = { bytesRead: backup?.bytesRead() ?? 0, bytesTotal: backup?.bytesTotal ?? null }
    onProgress?.({ rows, ...bytes, ...(phase !== undefined && { phase }) })
  },
})
