import { statfs } from 'node:fs/promises'
import { createReadingStore, type ReadingEngine } from '../readings/reading-store.ts'
import { createIncidents } from '../registry/incidents.ts'
import { createReleaseStore, type ReleaseEngine } from '../registry/release-store.ts'
import { readRevision } from '../registry/revision.ts'
import { createSourceStates } from '../registry/source-states.ts'
import type { Store } from '../store.ts'
import { readNumbers } from './read/number-rows.ts'
import { verifyRegistry } from './registry.ts'
import { releaseFiles } from './release-file.ts'

/** How the registry of a folder is reached. */
type Access = Pick<ReadingEngine, 'read' | 'write' | 'withHistoryWriter'> & Pick<ReleaseEngine, 'lock'>

/** The parts that a writable and a read-only store in a folder share. */
export const storeOver = (
  folder: string,
  { read, write, withHistoryWriter, lock }: Access,
): Omit<Store, 'degraded' | 'close'> => ({
  // Queries run in the calling thread.
  maxConcurrency: 1,
  async disk() {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { folder, freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  },
  verify: () => read(registry => verifyRegistry(registry, folder)),
  releases: createReleaseStore({
    ...{ read, lock, revision: () => read(registry => readRevision(registry, 'revision')) },
    ...releaseFiles(folder),
  }),
  readings: createReadingStore({ read, write, readNumbers, withHistoryWriter }),
  sources: createSourceStates(read, write),
  incidents: createIncidents(read, write),
})
