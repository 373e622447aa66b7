import type { Router } from '../http/routing/router.ts'
import type { LiveEvents } from '../parking/events/live-events.ts'
import type { LiveView } from '../parking/live-view.ts'
import type { CarparkWatch } from '../parking/model/carpark-watch.ts'
import type { Importable } from '../releases/import/importable.ts'
import type { Snapshot } from '../releases/snapshots/snapshot.ts'
import type { Release } from '../store/store.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'

/**
 * A dataset declares all that the service knows of it: what it is and whose, its record, how sources are read, where it
 * is served. Import, validation, storage, OpenAPI and the catalogue follow from the declaration.
 */
export interface Dataset extends Importable {
  readonly title: string
  /** One sentence for people who look for data. */
  readonly description: string
  readonly origin: Origin
  /** How long answers may be kept, in seconds. */
  readonly maxAge: number
  /** The path of the list, as the catalogue links it. */
  readonly path: string
  /** Adds the dataset's endpoints to the app. */
  readonly routes: (router: Router, context: DatasetContext) => void
}

/** Checks a declaration's type where it is written, and keeps it as it is. */
export const declareDataset = (dataset: Dataset): Dataset => dataset

/** Whose data it is; shown wherever the data is. */
export interface Origin {
  readonly publisher: string
  readonly licence: string
  readonly licenceUrl: string
  readonly sourceUrl: string
}

/** What a dataset's routes may ask of the running service. */
export interface DatasetContext {
  /** The dataset's own declaration. */
  readonly dataset: Pick<Dataset, 'name' | 'path' | 'maxAge'>
  /**
   * The current snapshot, for reading from memory before the next turn of the event loop. Throws the problem
   * DATASET_UNAVAILABLE where there is none.
   */
  snapshot(): Snapshot
  /** Reads from the current snapshot under a lease, over any number of turns; throws as {@link snapshot} does. */
  readSnapshot<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T>
  /** The snapshot that is served now; undefined where there is none. */
  snapshotIfAny(): Snapshot | undefined
  /** The release that is served now, the same object as long as it is; undefined where there is none. */
  release(): Release | undefined
  /** Throws the problem DATASET_UNAVAILABLE where the operator has taken the dataset out of service. */
  requireInService(): void
  /** The live view of the car parks. */
  readonly live: LiveView
  /** What is known of the car parks' counts beyond the last observation. */
  readonly watch: CarparkWatch
  /** What is known live of the car parks, judged, and word that it may have changed. */
  readonly liveEvents: LiveEvents
  /** The largest `limit` of a page. */
  readonly pageLimitMax: number
  /** Requests per hour and client on GET /v1/vehicles; 0 = off. */
  readonly vehiclesRateLimit: number
}
