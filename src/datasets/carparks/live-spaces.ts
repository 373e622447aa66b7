import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../errors.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import { type Representation, tagOf } from '../../http/representation.ts'
import { serialiser } from '../../http/serialiser.ts'
import type { LiveView } from '../../live/live-view.ts'
import type { Snapshot } from '../../releases/snapshot.ts'
import type { Observation } from '../../store/store.ts'
import { flag } from '../../values/values.ts'
import type { DatasetContext } from '../dataset.ts'
import { LiveSpaces } from './live-schema.ts'
import { carparksByIdOrCode } from './lookup.ts'

/** A kept answer is better than none while the feed or the service fails, but free spaces soon mislead. */
const STALE_IF_ERROR_S = 600

/** GET /v1/carparks/live-spaces (spec 4.5). */
export function addLiveSpacesRoute(app: FastifyInstance, context: DatasetContext): void {
  const render = serialiser(LiveSpaces)
  addEndpoint(app, {
    path: '/v1/carparks/live-spaces',
    operationId: 'listLiveSpaces',
    tag: context.dataset.name,
    summary: 'Free spaces now',
    description:
      'The last reading of the live feed. When the feed fails the last good one goes on being given with its own timestamp: compare it with your clock.',
    parameters: {
      includeCarparkInfo: {
        type: flag(),
        default: false,
        description:
          'Adds `carparkInfo` to each entry: the car park itself, or null where none has the code.',
      },
    },
    response: LiveSpaces,
    problems: [503],
    version: liveVersion(context),
    answer: ({ query }) => {
      context.requireInService()
      const observation = latest(context.live)
      const carparks = query.includeCarparkInfo ? context.snapshot() : undefined
      const body = render(describe(observation, carparks))
      return represent(body, observation, context.live, carparks)
    },
  })
}

/** Answers depend on the observation, the car parks and how long they may be kept, which is less each second. */
function liveVersion({ live, release }: DatasetContext): () => unknown {
  let last: { observation: unknown; carparks: unknown; seconds: number } | undefined
  return () => {
    const [observation, carparks, seconds] = [live.latest(), release(), live.secondsToNext()]
    const isSame = last?.observation === observation && last?.carparks === carparks
    if (!isSame || last?.seconds !== seconds) last = { observation, carparks, seconds }
    return last
  }
}

function latest(live: LiveView): Observation {
  const observation = live.latest()
  if (observation !== undefined) return observation
  throw new Problem('DATASET_UNAVAILABLE', 'There is no reading of the live feed yet.', {
    headers: { 'retry-after': String(live.secondsToNext()) },
  })
}

function describe({ entries, timestamp }: Observation, carparks: Snapshot | undefined) {
  if (carparks === undefined) return { results: entries, timestamp }
  const known = carparksByIdOrCode(carparks)
  const results = entries.map(entry => ({
    ...entry,
    carparkInfo: known.get(entry.code.toLowerCase()) ?? null,
  }))
  return { results, timestamp }
}

function represent(
  body: Buffer,
  observation: Observation,
  live: LiveView,
  carparks: Snapshot | undefined,
): Representation {
  const since = [observation.timestamp, carparks?.release.currentSince ?? observation.timestamp].sort()
  return {
    tag: tagOf('live-spaces', createHash('sha256').update(body).digest('hex')),
    lastModified: new Date(since[1] ?? observation.timestamp),
    maxAge: live.secondsToNext(),
    staleIfError: STALE_IF_ERROR_S,
    synthetic: live.synthetic || carparks?.release.synthetic === true,
    body,
  }
}
