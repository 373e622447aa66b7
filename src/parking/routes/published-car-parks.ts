import { carparksByIdOrCode } from '../../datasets/carparks/lookup.ts'
import type { DatasetContext } from '../../datasets/dataset.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { Release } from '../../store/store.ts'
import type { ParkingService } from '../service.ts'

/** The published car parks, as far as live parking needs them. */
export interface PublishedCarParks {
  /** Throws the problem DATASET_UNAVAILABLE where the operator has taken car parks out of service. */
  requireInService(): void
  /** The release that is served, the same object as long as it is; undefined without one. */
  release(): Pick<Release, 'currentSince' | 'synthetic'> | undefined
  /** The records by id and by live tracking code, both in lower case; undefined without a release. */
  records(): ReadonlyMap<string, StoredRecord> | undefined
  /** The same. Throws the problem DATASET_UNAVAILABLE without a release. */
  requireRecords(): ReadonlyMap<string, StoredRecord>
}

/** The objects that the routes of live parking share. */
export interface ParkingContext {
  readonly parking: ParkingService
  readonly carParks: PublishedCarParks
}

/** The tag of the routes of live parking: that of the car parks. */
export const TAG = 'carparks'

/** Gives access to the car parks by the context of their dataset. */
export function publishedCarParks(
  context: Pick<DatasetContext, 'requireInService' | 'release' | 'snapshot' | 'snapshotIfAny'>,
): PublishedCarParks {
  return {
    requireInService: context.requireInService,
    release: context.release,
    records() {
      const snapshot = context.snapshotIfAny()
      return snapshot && carparksByIdOrCode(snapshot)
    },
    requireRecords: () => carparksByIdOrCode(context.snapshot()),
  }
}
