import { readRevision } from '../registry/revision.ts'
import type { ReadRegistry, WriteRegistry } from '../registry/tables.ts'
import type { ReadingStore } from '../store.ts'
import { readOrigins, removeBatch } from './batches.ts'
import { addHistory, type HistoryWriter } from './history-import.ts'
import { type ReadNumbers, readKeptHistory, readReadings, readSummaries } from './history-queries.ts'
import { insertObservation, readLatestObservation } from './observations.ts'
import { dropHistory } from './reading-hours.ts'

/** What a store of readings needs of an engine. */
export interface ReadingEngine {
  readonly read: ReadRegistry
  readonly write: WriteRegistry
  readonly readNumbers: ReadNumbers
  /** Runs work that may take long, such as importing and removing history. */
  withHistoryWriter<T>(work: (writer: HistoryWriter) => Promise<T>): Promise<T>
}

/** Creates the store of readings over an engine. */
export function createReadingStore({
  read,
  write,
  readNumbers,
  withHistoryWriter,
}: ReadingEngine): ReadingStore {
  return {
    saveObservation: observation => insertObservation(write, observation),
    latestObservation: () => read(readLatestObservation),
    saveHistory: (readings, source = '') => withHistoryWriter(writer => addHistory(writer, readings, source)),
    origins: () => read(readOrigins),
    removeBatch: number => withHistoryWriter(writer => removeBatch(writer.write, number)),
    historyRevision: () => read(registry => readRevision(registry, 'history_revision')),
    keptHistory: () => read(readKeptHistory),
    readings: range => read(registry => readReadings(registry, range, readNumbers)),
    summaries: (range, width) => read(registry => readSummaries(registry, range, width, readNumbers)),
    dropHistory: before => withHistoryWriter(writer => dropHistory(writer.write, before)),
  }
}
