import type { Store } from '../../store/store.ts'

/** Reading the past of the car parks' counts. */
export type ReadingHistory = Pick<Store, 'historyRevision' | 'keptHistory' | 'readings' | 'summaries'>
