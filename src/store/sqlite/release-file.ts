import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import type { FileBytes } from '../../columnar/read-table-file.ts'
import { NEW_FILE, writeWhole } from '../atomic-file.ts'
import type { StoreEngine } from '../engine.ts'
import type { KeptRelease } from '../registry/releases.ts'
import type { FilePlace } from '../releases/file-builder.ts'
import { damaged, openReleaseFile, verifyReleaseFile } from '../releases/release-file.ts'
import { datasetFolder, releasePath } from './folder.ts'

/** The folder of a dataset's release files. A file gets its name once it is whole, and both survive a power failure. */
export const filesOf = (folder: string, dataset: string): FilePlace => ({
  async put(number, ending, pieces) {
    const name = `${number}.${ending}`
    await mkdir(datasetFolder(folder, dataset), { recursive: true })
    await writeWhole(releasePath(folder, dataset, name), true, temporary =>
      writeFile(temporary, pieces, NEW_FILE),
    )
    return name
  },
  remove: name => rm(releasePath(folder, dataset, name), { force: true }),
})

/** Opens the file of a release. Opening and reading throw {@link DamagedReleaseError} if part of the file is missing. */
export async function openFile(
  folder: string,
  { release, name }: KeptRelease,
): Promise<{ readonly file: FileBytes; close(): Promise<void> }> {
  const path = releasePath(folder, release.dataset, name)
  const unreadable = (error?: unknown): never => {
    throw damaged(release, `${path} is missing or cannot be read`, error)
  }
  const handle = await open(path, 'r').catch(unreadable)
  const { size } = await handle.stat()
  return {
    file: {
      size,
      async read(into, position) {
        for (let done = 0; done < into.length; ) {
          const rest = into.subarray(done)
          const { bytesRead } = await handle.read(rest, 0, rest.length, position + done).catch(unreadable)
          if (bytesRead === 0) unreadable()
          done += bytesRead
        }
      },
    },
    close: () => handle.close(),
  }
}

/** How the releases of a folder are read. */
export const releaseFiles = (folder: string): Pick<StoreEngine, 'openRelease' | 'verifyRelease'> => ({
  openRelease: (kept, layout, isBeside) =>
    withFile(folder, kept, file => openReleaseFile(kept, layout, file, isBeside)),
  verifyRelease: kept => withFile(folder, kept, file => verifyReleaseFile(kept, file)),
})

async function withFile<T>(
  folder: string,
  kept: KeptRelease,
  work: (file: FileBytes) => Promise<T>,
): Promise<T> {
  const { file, close } = await openFile(folder, kept)
  return await work(file).finally(close)
}
