import { HEALTHY } from '../parking/feed/feed.ts'
import type { ParkingService } from '../parking/service.ts'
import type { SourceFollower } from '../releases/schedule/follow-sources.ts'
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
  /** A dataset, its source, `live feed`, `store`, a component of it, `workers`, or `service`. */
  readonly what: string
  /** ISO 8601 UTC; null without a known beginning. */
  readonly since: string | null
  /** For the operator. */
  readonly detail: string
}

/** An instance that has not loaded the current release after this time is not ready, so that others serve its clients. */
const BEHIND_MS = MINUTE_MS

interface ReadinessParts {
  readonly datasets: readonly { name: string }[]
  readonly snapshots: Snapshots
  readonly parking: Pick<ParkingService, 'health'>
  readonly sources?: Pick<SourceFollower, 'status'> | undefined
  readonly stopping: boolean
  readonly now?: () => Date
}

/** Computes the readiness; a missing feed, source or dataset alone does not make the service unready. */
export function readiness(parts: ReadinessParts): Readiness {
  const { datasets, snapshots, parking, stopping, now = () => new Date() } = parts
  const health = datasets.map(({ name }) => snapshots.health(name))
  const isBehind = health.some(
    ({ unreachable, since }) =>
      unreachable !== null && since !== null && now().getTime() - Date.parse(since) >= BEHIND_MS,
  )
  const isServing = health.some(({ serving }) => serving !== null)
  const { failingSince: _since, lastError: _error, ...live } = parking.health()
  return { ready: isServing && !isBehind && !stopping, missing: [...missingIn(parts)], live }
}

/**
 * The readiness of a service, from the states of the workers that answer, of as many as it should have. The service is ready if
 * all of these are, and misses what any of them misses. The feed is as the worker that polls it says.
 */
export function readinessOfAll(states: readonly Readiness[], workers: number): Readiness {
  const missing = new Map(states.flatMap(state => state.missing.map(each => [each.what, each])))
  if (states.length < workers) {
    const detail = `${states.length} of ${workers} answer`
    missing.set('workers', { what: 'workers', since: null, detail })
  }
  const { failingSince: _since, lastError: _error, ...unknown } = HEALTHY
  const { live = unknown } = states.find(state => state.live.role === 'leading') ?? states[0] ?? {}
  const ready = states.length > 0 && states.every(state => state.ready)
  return { ready, missing: [...missing.values()], live }
}

function* missingIn({ datasets, snapshots, parking, sources, stopping }: ReadinessParts): Generator<Missing> {
  for (const { name: what } of datasets) {
    const { serving, damaged, unreachable, since } = snapshots.health(what)
    const served = serving === null ? 'nothing is served' : `release ${serving.number} is served`
    if (unreachable !== null)
      yield { what, since, detail: `release ${unreachable.number} is on no reachable server, ${served}` }
    else if (damaged !== null)
      yield {
        what,
        since,
        detail: `release ${damaged.number} is damaged, ${served}: import again or roll back`,
      }
    else if (serving === null) yield { what, since, detail: 'no release is published: pds import' }
  }
  const failure = snapshots.storeFailure()
  if (failure !== null) {
    const detail = `cannot be read; the loaded releases are served: ${failure.detail}`
    yield { what: 'store', since: failure.since, detail }
  } else
    for (const { part, since, detail } of snapshots.degradedComponents())
      yield { what: `store, ${part}`, since, detail }
  const { failingSince, lastError } = parking.health()
  if (failingSince !== null) yield { what: 'live feed', since: failingSince, detail: lastError ?? 'fails' }
  for (const { dataset, state } of sources?.status() ?? [])
    if (state !== undefined && state.failures > 0) {
      const { failingSince: since, outcome, reason } = state
      yield { what: `source of ${dataset}`, since, detail: `${outcome}: ${reason}` }
    }
  if (stopping) yield { what: 'service', since: null, detail: 'is stopping' }
}
