import { createReadingStore } from '../readings/reading-store.ts'
import { createIncidents } from '../registry/incidents.ts'
import { createReleaseStore } from '../registry/release-store.ts'
import { readRevision } from '../registry/revision.ts'
import { createSourceStates } from '../registry/source-states.ts'
import type { Store, StoreUnusableError } from '../store.ts'
import { diskOf } from './disk.ts'
import { readNumbers } from './read/number-rows.ts'
import { openReadOnlyRegistry } from './read-only-registry.ts'
import { verifyRegistry } from './registry.ts'
import { releaseFiles } from './release-file.ts'

/** Opens a store in a folder in which this process may not write, which `why` explains; every write throws that. */
export async function openReadOnlyStore(folder: string, why: StoreUnusableError): Promise<Store> {
  const { read, close } = await openReadOnlyRegistry(folder)
  const since = new Date().toISOString()
  const refuse = () => Promise.reject(why)
  const releases = createReleaseStore({
    read,
    revision: () => read(registry => readRevision(registry, 'revision')),
    ...releaseFiles(folder),
    lock: refuse,
  })
  return {
    maxConcurrency: 1,
    degraded: () => [{ part: 'primary', since, detail: why.message }],
    disk: () => diskOf(folder),
    verify: () => read(registry => verifyRegistry(registry, folder)),
    // Nothing can be removed here, which is no fault.
    releases: { ...releases, sweep: async () => 0 },
    readings: {
      ...createReadingStore({ read, write: refuse, readNumbers, withHistoryWriter: refuse }),
      dropHistory: async () => 0,
    },
    sources: createSourceStates(read, refuse),
    incidents: createIncidents(read, refuse),
    close,
  }
}
