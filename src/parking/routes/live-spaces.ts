import { carparksByIdOrCode } from '../../datasets/carparks/lookup.ts'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { Problem } from '../../errors.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { Snapshot } from '../../releases/snapshots/snapshot.ts'
import type { LiveEntry, Observation } from '../../store/store.ts'
import { flag, listOf, oneOf } from '../../values/values.ts'
import type { LiveView } from '../live-view.ts'
import type { CarparkWatch } from '../model/carpark-watch.ts'
import { judgedRepresentation, liveRepresentation, secondVersion } from './live-representation.ts'
import { LiveSpaces } from './live-schema.ts'
import { describeVerdictAt } from './quality.ts'

/** GET /v1/carparks/live-spaces (spec 4.5). */
export function addLiveSpacesRoute(router: Router, context: DatasetContext): void {
  const render = serialiser(LiveSpaces)
  addEndpoint(router, {
    path: '/v1/carparks/live-spaces',
    operationId: 'listLiveSpaces',
    tag: context.dataset.name,
    summary: 'Free spaces now',
    description:
      'The last reading of the live feed. When the feed fails the last good one goes on being given with its own timestamp: compare it with your clock, or ask with `include=quality` how far each count can be trusted.',
    parameters: {
      includeCarparkInfo: {
        type: flag(),
        default: false,
        description:
          'Adds `carparkInfo` to each entry: the car park itself, or null where none has the code.',
      },
      include: {
        type: listOf(oneOf(['quality'])),
        description:
          '`quality` adds to each entry how far its count can be trusted, judged from the car park’s own past, and `missing`: the car parks that should be in the list and are not.',
      },
    },
    response: LiveSpaces,
    problems: [503],
    cacheVersion: secondVersion(context),
    respond: ({ query }) => {
      context.requireInService()
      const { watch } = context
      const observation = latest(context.live)
      const carparks = query.includeCarparkInfo ? context.snapshot() : undefined
      const withQuality = query.include?.includes('quality') === true
      const results = observation.entries.map(entry => ({
        ...(withQuality ? judged(entry, watch) : entry),
        ...(carparks === undefined ? {} : { carparkInfo: infoOf(entry, carparks) }),
      }))
      const missing = withQuality ? { missing: missingFrom(observation, watch) } : {}
      const body = render({ results, ...missing, timestamp: observation.timestamp })
      return withQuality ? judgedRepresentation(context, body) : liveRepresentation(context, body)
    },
  })
}

function latest(live: LiveView): Observation {
  const observation = live.latest()
  if (observation !== undefined) return observation
  throw new Problem('DATASET_UNAVAILABLE', 'There is no reading of the live feed yet.', {
    headers: { 'retry-after': String(live.secondsToNext()) },
  })
}

const infoOf = ({ code }: LiveEntry, carparks: Snapshot) =>
  carparksByIdOrCode(carparks).get(code.toLowerCase()) ?? null

const judged = (entry: LiveEntry, watch: CarparkWatch) => ({
  ...entry,
  ...describeVerdictAt(watch.verdict(entry.code), watch.now()),
})

/** Car parks with a code that the feed has not listed, or lists no longer. */
function missingFrom({ entries }: Observation, watch: CarparkWatch) {
  const listed = new Set(entries.map(({ code }) => code.toUpperCase()))
  const names = new Map(watch.counted().map(({ code, name }) => [code.toUpperCase(), { code, name }]))
  return [...watch.verdicts()]
    .filter(([code]) => !listed.has(code))
    .map(([code, verdict]) => ({
      ...(names.get(code) ?? { code, name: null }),
      ...describeVerdictAt(verdict, watch.now()),
    }))
}
