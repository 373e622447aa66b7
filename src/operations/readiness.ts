import type { FeedHealth, LiveView } from '../live/live-view.ts'
import type { Snapshots } from '../releases/snapshots.ts'

/** Whether the service should get requests, and what is missing since when. */
export interface Readiness {
  readonly ready: boolean
  readonly missing: readonly {
    readonly what: string
    readonly since: string | null
    readonly detail: string
  }[]
  /** How the live feed fares, whether or not anything is missing. */
  readonly live: Omit<FeedHealth, 'failingSince' | 'lastError'>
}

/**
 * Ready means: some dataset can be served, and the service is not stopping. A dataset that is missing or damaged and a
 * feed that fails are named, but an instance that serves the rest well must not be taken out for them.
 */
export function readiness(options: {
  datasets: readonly { name: string }[]
  snapshots: Snapshots
  live: LiveView
  stopping: boolean
}): Readiness {
  const { datasets, snapshots, live, stopping } = options
  const missing: Readiness['missing'][number][] = []
  for (const { name } of datasets) {
    const { serving, damaged, since } = snapshots.health(name)
    if (damaged !== null) {
      const instead = serving === null ? 'nothing is' : `release ${serving.number} is`
      missing.push({
        what: name,
        since,
        detail: `release ${damaged.number} is damaged, ${instead} served: import again or roll back`,
      })
    } else if (serving === null)
      missing.push({ what: name, since, detail: 'no release is published: pds import' })
  }
  const storeSince = snapshots.storeFailingSince()
  if (storeSince !== null)
    missing.push({ what: 'store', since: storeSince, detail: 'cannot be read; what is loaded is served on' })
  const { failingSince, lastError, ...feed } = live.health()
  if (failingSince !== null)
    missing.push({ what: 'live feed', since: failingSince, detail: lastError ?? 'fails' })
  if (stopping) missing.push({ what: 'service', since: null, detail: 'is stopping' })
  const anything = datasets.some(({ name }) => snapshots.get(name) !== undefined)
  return { ready: anything && !stopping, missing, live: feed }
}
