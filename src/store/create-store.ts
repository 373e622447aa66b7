import type { StoreEngine } from './engine.ts'
import { createReadingStore } from './readings/reading-store.ts'
import { createReleaseStore } from './registry/release-store.ts'
import { createStates } from './registry/states.ts'
import type { Store } from './store.ts'

/** Creates a store over an engine. */
export const createStore = (engine: StoreEngine): Store => ({
  ...engine,
  releases: createReleaseStore(engine),
  readings: createReadingStore(engine),
  ...createStates(engine.read, engine.write),
})
