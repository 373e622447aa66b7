import type { ReadingStore } from '../../store/store.ts'

/** Reading the past of the car parks' counts. */
export type ReadingHistory = Pick<ReadingStore, 'historyRevision' | 'keptHistory' | 'readings' | 'summaries'>
