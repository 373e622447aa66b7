import type { FeedHealth, LiveView } from '../parking/live-view.ts'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'

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

/** An instance that has not got a release for so long after it became current is not ready: others may have it. */
const BEHIND_MS = 60_000

/**
 * Ready means: some dataset can be served, none has been behind for long, and the service is not stopping. A dataset
 * that is missing or damaged, a store and a feed that fail are named, but an instance that serves the rest well must not
 * be taken out for them.
 */
export function readiness(options: {
  datasets: readonly { name: string }[]
  snapshots: Snapshots
  live: LiveView
  stopping: boolean
  now?: () => Date
}): Readiness {
  const { datasets, snapshots, live, stopping, now = () => new Date() } = options
  let isBehind = false
  const missing: Readiness['missing'][number][] = []
  for (const { name } of datasets) {
    const { serving, damaged, missed, since } = snapshots.health(name)
    const instead = serving === null ? 'nothing is' : `release ${serving.number} is`
    if (missed !== null) {
      isBehind ||= since !== null && now().getTime() - Date.parse(since) >= BEHIND_MS
      missing.push({
        what: name,
        since,
        detail: `release ${missed.number} cannot be had from any server, ${instead} served`,
      })
    } else if (damaged !== null) {
      missing.push({
        what: name,
        since,
        detail: `release ${damaged.number} is damaged, ${instead} served: import again or roll back`,
      })
    } else if (serving === null)
      missing.push({ what: name, since, detail: 'no release is published: pds import' })
  }
  const failing = snapshots.storeFailing()
  if (failing !== null)
    missing.push({
      what: 'store',
      since: failing.since,
      detail: `cannot be read; what is loaded is served on: ${failing.detail}`,
    })
  for (const { part, since, detail } of failing === null ? snapshots.storeTroubles() : [])
    missing.push({ what: `store, ${part}`, since, detail })
  const { failingSince, lastError, ...feed } = live.health()
  if (failingSince !== null)
    missing.push({ what: 'live feed', since: failingSince, detail: lastError ?? 'fails' })
  if (stopping) missing.push({ what: 'service', since: null, detail: 'is stopping' })
  const anything = datasets.some(({ name }) => snapshots.get(name) !== undefined)
  return { ready: anything && !isBehind && !stopping, missing, live: feed }
}
