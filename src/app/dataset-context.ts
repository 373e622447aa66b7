import type { Config } from '../config.ts'
import {
  type Dataset,
  type DatasetContext,
  type ReleaseReference,
  type RemovedRecord,
  shownFields,
} from '../datasets/dataset.ts'
import { Problem } from '../errors.ts'
import { withDiff } from '../releases/diff/diff.ts'
import { oncePerSnapshot, type Snapshot } from '../releases/snapshots/snapshot.ts'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'
import type { Store } from '../store/store.ts'
import { chain, type MaybePromise } from '../values/promises.ts'
import type { Comparisons } from './changes/comparisons.ts'

/** Retry-After for an unavailable dataset, in seconds. */
const RETRY_AFTER_S = 60

interface ContextParts extends Pick<DatasetContext, 'formats'> {
  readonly config: Config
  readonly store: Store
  readonly snapshots: Snapshots
  readonly comparisons: Comparisons
  /** False if the operator has taken the dataset out of service. */
  readonly isAvailable: boolean
}

/** Creates the view of a dataset for its routes: the current release and the kept ones. */
export function contextOf(dataset: Dataset, parts: ContextParts): DatasetContext {
  const { config, store, snapshots, comparisons, isAvailable, formats } = parts
  const { name, title } = dataset
  const fields = shownFields(dataset)
  const unavailable = (why: string) =>
    new Problem('DATASET_UNAVAILABLE', `${title}: ${why}.`, { retryAfterS: RETRY_AFTER_S })

  function requireInService(): void {
    if (!isAvailable) throw unavailable('taken out of service by the operator')
  }

  const snapshotIfAny = () => snapshots.get(name)

  function snapshot(): Snapshot {
    requireInService()
    const served = snapshotIfAny()
    if (served !== undefined) return served
    const isHindered = snapshots.health(name).damaged !== null || snapshots.storeFailure() !== null
    throw unavailable(
      isHindered ? 'the published release cannot be served at the moment' : 'not published yet',
    )
  }

  function snapshotOf(release?: ReleaseReference): MaybePromise<Snapshot> {
    if (release === undefined) return snapshot()
    requireInService()
    return chain(snapshots.find(name, release.number, release.hash), found => {
      if (found !== undefined) return found
      throw new Problem('CURSOR_EXPIRED', 'The release that this cursor reads is not available any more.')
    })
  }

  const kept = oncePerSnapshot(() => store.releases.list(name))
  const counts = oncePerSnapshot(() => store.journal.counts(name))
  const removed = oncePerSnapshot(async (served: Snapshot) => {
    const known = new Set(served.records.map(({ id }) => id))
    const found: RemovedRecord[] = []
    let removedAt = served.release.publishedAt
    for (const release of await kept(served)) {
      if (release.number >= served.release.number) continue
      const { records } = await store.releases.open(release, dataset.layout)
      for await (const record of records()) {
        if (!known.has(record.id)) found.push({ record, removedAt })
        known.add(record.id)
      }
      removedAt = release.publishedAt
    }
    return found
  })
  return {
    dataset,
    formats,
    requireInService,
    snapshot,
    snapshotIfAny,
    release: () => snapshotIfAny()?.release,
    readSnapshot: (read, release) => chain(snapshotOf(release), read),
    past: {
      async kept() {
        const served = snapshotIfAny()
        return served === undefined ? [] : kept(served)
      },
      async counts() {
        const served = snapshotIfAny()
        return served === undefined ? [] : counts(served)
      },
      async removed() {
        const served = snapshotIfAny()
        return served === undefined ? [] : removed(served)
      },
      compare: (sides, use) =>
        withDiff({ store, dataset, fields, ...sides }, ({ differences }) => use(differences)),
      writeApart: (sides, format) => comparisons.open({ dataset: name, ...sides, format }),
    },
    pageLimitMax: config.PAGE_LIMIT_MAX,
    requestsPerHour: config.VEHICLES_RATE_LIMIT,
  }
}
