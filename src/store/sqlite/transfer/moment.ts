import { sql } from 'kysely'
import { keptReleases } from '../../registry/releases.ts'
import type { Registry } from '../../registry/tables.ts'
import { openReleaseFile } from '../../releases/release-file.ts'
import { DamagedReleaseError, type StoredDataset } from '../../store.ts'
import type { StoreMoment } from '../../transfer/store-lines.ts'
import { MIGRATIONS, openRegistry } from '../registry.ts'
import { openFile } from '../release-file.ts'

type File = Awaited<ReturnType<typeof openFile>>
type Files = Map<string, File | DamagedReleaseError>

/**
 * Opens the store of a folder as it is now: a read transaction on the registry, which no writer waits for, and all
 * release files, as an open file outlives its pruning.
 */
export async function openMoment(folder: string, datasets: readonly StoredDataset[]): Promise<StoreMoment> {
  const registry = await openRegistry(folder)
  const files: Files = new Map()
  async function close(): Promise<void> {
    await closeAll(files)
    await registry.destroy()
  }
  try {
    // A release may be pruned between the begin of the transaction and the opening of the files.
    if (!(await openAll(files, folder, registry, datasets))) {
      await closeAll(files)
      await sql`rollback`.execute(registry)
      await openAll(files, folder, registry, datasets)
    }
    return {
      header: { at: new Date().toISOString(), engine: 'sqlite', schema: MIGRATIONS.length },
      registry,
      async open(kept, { layout }) {
        const found = files.get(keyOf(kept.release)) as File | DamagedReleaseError
        if (found instanceof Error) throw found
        return openReleaseFile(kept, layout, found.file)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const keyOf = ({ dataset, number }: { dataset: string; number: number }) => `${dataset} ${number}`

/** Begins a transaction and opens the files of its releases; resolves to whether all could be opened. */
async function openAll(
  files: Files,
  folder: string,
  registry: Registry,
  datasets: readonly StoredDataset[],
): Promise<boolean> {
  await sql`begin deferred`.execute(registry)
  for (const { name } of datasets)
    for (const kept of await keptReleases(registry, name)) {
      const file = await openFile(folder, kept).catch((error: unknown) => {
        if (error instanceof DamagedReleaseError) return error
        throw error
      })
      files.set(keyOf(kept.release), file)
    }
  return ![...files.values()].some(file => file instanceof Error)
}

async function closeAll(files: Files): Promise<void> {
  for (const file of files.values()) if (!(file instanceof Error)) await file.close()
  files.clear()
}
