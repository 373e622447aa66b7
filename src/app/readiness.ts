import type { ParkingService } from '../parking/service.ts'
import type { SourceFollower } from '../releases/schedule/follow-sources.ts'
import type { DatasetHealth } from '../releases/snapshots/dataset-follower.ts'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'
import { MINUTE_MS } from '../values/time-units.ts'

/** The body of /readyz: whether the service should get requests, what is missing, and the state of the live feed. */
export interface Readiness {
  /** True while at least one dataset is served, none is behind, and the service is not stopping. */
  readonly ready: boolean
  readonly missing: readonly Missing[]
  readonly live: Omit<ReturnType<ParkingService['health']>, 'failingSince' | 'lastError'>
}

interface Missing {
  /** A dataset, its source, `live feed`, `store`, a component of it, or `service`. */
  readonly what: string
  /** ISO 8601 UTC; null where it has always been so. */
  readonly since: string | null
  /** For the operator. */
  readonly detail: string
}

/** An instance that has not loaded the current release after this time is not ready, so that others serve its clients. */
const BEHIND_MS = MINUTE_MS

/** Computes the readiness; a missing feed, source or dataset alone does not make the service unready. */
export function readiness(options: {
  datasets: readonly { name: string }[]
  snapshots: Snapshots
  parking: Pick<ParkingService, 'health'>
  sources?: Pick<SourceFollower, 'status'> | undefined
  stopping: boolean
  now?: () => Date
}): Readiness {
  const { datasets, snapshots, parking, sources, stopping, now = () => new Date() } = options
  const health = datasets.map(({ name }) => ({ name, ...snapshots.health(name) }))
  const isBehind = health.some(
    ({ unreachable, since }) =>
      unreachable !== null && since !== null && now().getTime() - Date.parse(since) >= BEHIND_MS,
  )
  const { failingSince, lastError, ...feed } = parking.health()
  const missing = [...health.flatMap(missingRelease), ...missingStore(snapshots)]
  if (failingSince !== null)
    missing.push({ what: 'live feed', since: failingSince, detail: lastError ?? 'fails' })
  missing.push(...missingSources(sources))
  if (stopping) missing.push({ what: 'service', since: null, detail: 'is stopping' })
  const isServing = health.some(({ serving }) => serving !== null)
  return { ready: isServing && !isBehind && !stopping, missing, live: feed }
}

function missingRelease(health: DatasetHealth & { readonly name: string }): Missing[] {
  const { name, serving, damaged, unreachable, since } = health
  const served = serving === null ? 'nothing is served' : `release ${serving.number} is served`
  const missing = (detail: string) => [{ what: name, since, detail }]
  if (unreachable !== null)
    return missing(`release ${unreachable.number} is on no reachable server, ${served}`)
  if (damaged !== null)
    return missing(`release ${damaged.number} is damaged, ${served}: import again or roll back`)
  return serving === null ? missing('no release is published: pds import') : []
}

function missingSources(sources: Pick<SourceFollower, 'status'> | undefined): Missing[] {
  return (sources?.status() ?? []).flatMap(({ dataset, state }) =>
    state === undefined || state.failures === 0
      ? []
      : [
          {
            what: `source of ${dataset}`,
            since: state.failingSince,
            detail: `${state.outcome}: ${state.reason}`,
          },
        ],
  )
}

function missingStore(snapshots: Snapshots): Missing[] {
  const failure = snapshots.storeFailure()
  if (failure === null)
    return snapshots
      .degradedComponents()
      .map(({ part, since, detail }) => ({ what: `store, ${part}`, since, detail }))
  const detail = `cannot be read; the loaded releases are served: ${failure.detail}`
  return [{ what: 'store', since: failure.since, detail }]
}
