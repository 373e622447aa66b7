import type { StoreEngine } from '../engine.ts'
import { readRevision } from '../registry/tables.ts'
import type { ReadingStore } from '../store.ts'
import { addHistory, readOrigins, removeBatch } from './history-import.ts'
import { readKeptHistory, readReadings, readSummaries } from './history-queries.ts'
import { insertObservation, readLatestObservation } from './observations.ts'
import { dropHistory } from './reading-rows.ts'

/** Creates the store of readings over an engine. */
export function createReadingStore(engine: StoreEngine): ReadingStore {
  const { read, readNumbers, writeHistory } = engine
  return {
    saveObservation: observation => insertObservation(engine.writeReadings, observation),
    latestObservation: () => read(readLatestObservation),
    saveHistory: (readings, source = '') => addHistory(engine, readings, source),
    origins: () => read(readOrigins),
    removeBatch: number => removeBatch(writeHistory, number),
    historyRevision: () => read(registry => readRevision(registry, 'history_revision')),
    keptHistory: () => read(readKeptHistory),
    readings: range => read(registry => readReadings(registry, range, readNumbers)),
    summaries: (range, width) => read(registry => readSummaries(registry, range, width, readNumbers)),
    dropHistory: async before => (engine.isReadOnly ? 0 : dropHistory(writeHistory, before)),
  }
}
