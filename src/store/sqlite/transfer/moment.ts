import { sql } from 'kysely'
import { type KeptRelease, keptReleases } from '../../registry/releases.ts'
import { readRevision } from '../../registry/revision.ts'
import type { Registry } from '../../registry/tables.ts'
import { openReleaseFile } from '../../releases/release-file.ts'
import { DamagedReleaseError, type StoredDataset } from '../../store.ts'
import type { StoreMoment } from '../../transfer/store-lines.ts'
import { openRegistry } from '../registry.ts'
import { openFile } from '../release-file.ts'

type Opened = Awaited<ReturnType<typeof openFile>>

/**
 * Opens the store of a folder as it is now: a read transaction on the registry, which no writer waits for, and all
 * release files, as an open file outlives its pruning.
 */
export async function openMoment(folder: string, datasets: readonly StoredDataset[]): Promise<StoreMoment> {
  const registry = await openRegistry(folder)
  try {
    const files = await openFiles(folder, registry, datasets)
    const { rows } = await sql<{ user_version: number }>`pragma file.user_version`.execute(registry)
    return {
      header: { at: new Date().toISOString(), engine: 'sqlite', schema: rows[0]?.user_version ?? 0 },
      registry,
      async open(kept, { layout }) {
        const { dataset, number } = kept.release
        const found = files.get(keyOf(dataset, number))
        if (found === undefined) throw new Error(`release ${number} of ${dataset} was not opened`)
        if (isDamaged(found)) throw found
        return openReleaseFile(kept, layout, found.file)
      },
      async close() {
        await closeAll(files)
        await registry.destroy()
      },
    }
  } catch (error) {
    await registry.destroy()
    throw error
  }
}

type Files = ReadonlyMap<string, Opened | DamagedReleaseError>

const keyOf = (dataset: string, number: number): string => `${dataset} ${number}`

/** Begins the transaction, anew if a release was pruned between it and the opening of the files. */
async function openFiles(
  folder: string,
  registry: Registry,
  datasets: readonly StoredDataset[],
): Promise<Files> {
  for (let before: number | undefined; ; ) {
    await sql`begin deferred`.execute(registry)
    const revision = await readRevision(registry, 'revision')
    const files = new Map<string, Opened | DamagedReleaseError>()
    for (const { name } of datasets)
      for (const kept of await keptReleases(registry, name))
        files.set(keyOf(name, kept.release.number), await openOrDamaged(folder, kept))
    if (revision === before || ![...files.values()].some(isDamaged)) return files
    before = revision
    await closeAll(files)
    await sql`rollback`.execute(registry)
  }
}

const isDamaged = (file: Opened | DamagedReleaseError): file is DamagedReleaseError =>
  file instanceof DamagedReleaseError

async function openOrDamaged(folder: string, kept: KeptRelease): Promise<Opened | DamagedReleaseError> {
  try {
    return await openFile(folder, kept)
  } catch (error) {
    if (error instanceof DamagedReleaseError) return error
    throw error
  }
}

async function closeAll(files: Files): Promise<void> {
  for (const file of files.values()) if (!isDamaged(file)) await file.close()
}
