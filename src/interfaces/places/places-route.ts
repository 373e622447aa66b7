import type { DatasetContext } from '../../datasets/dataset.ts'
import { writeRecords } from '../../formats/format.ts'
import { formatsFor } from '../../formats/formats.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { ParkingService } from '../../parking/service.ts'
import { type Field, fieldsOf } from '../../query/fields.ts'
import { hasGeometry } from '../../query/geometry.ts'
import { distinct, fieldParameters } from '../../query/parameters/field-parameters.ts'
import type { ParameterValues } from '../../query/parameters/parameter-values.ts'
import { PLACE_PARAMETERS } from '../../query/parameters/place-parameters.ts'
import { DAY_S, HOUR_S } from '../../values/time-units.ts'
import { integer, listOf, oneOf, type Parameter } from '../../values/values.ts'
import { limitParameter } from '../rest/pagination.ts'
import { selectionOf } from '../rest/selection.ts'
import { findPlaces, liveCounts, type PlaceDataset } from './find-places.ts'
import { FoundPlace, Places } from './place-schema.ts'

const PATH = '/v1/places'
const MAX_AGE_S = HOUR_S
const STALE_IF_ERROR_S = DAY_S
/** Free spaces mislead soon. */
const LIVE_STALE_IF_ERROR_S = 600

/** Adds GET /v1/places: the places of all datasets whose records have a position. */
export function addPlacesRoute(
  router: Router,
  contexts: readonly DatasetContext[],
  parking: ParkingService,
): void {
  const datasets = contexts
    .filter(({ dataset }) => hasGeometry(dataset.record))
    .map(
      (context): PlaceDataset => ({
        ...{ context, selection: selectionOf(context) },
        address: router.shared.address(context.dataset.path),
      }),
    )
  const selection = sharedParameters(datasets)
  const [first] = contexts
  const formats = formatsFor(first?.formats ?? [], FoundPlace)
  const render = serialiser(Places)
  addEndpoint(router, {
    path: PATH,
    operationId: 'listPlaces',
    tag: 'places',
    summary: 'Places of every dataset, nearest first',
    description:
      'Car parks, toilets, recycling centres and defibrillators together. A parameter that some datasets do not have, such as `facility`, selects from the others alone.',
    parameters: {
      limit: limitParameter(first?.pageLimitMax ?? 1),
      dataset: {
        type: distinct(oneOf(datasets.map(({ context }) => context.dataset.name)), name => name),
        description: 'Only places of these datasets, comma-separated.',
      },
      ...selection,
      ...PLACE_PARAMETERS,
      include: {
        type: listOf(oneOf(['live'])),
        description: '`live`: with the free spaces of car parks now, and how far they can be trusted.',
      },
      minFreeSpaces: {
        type: integer({ minimum: 1, maximum: 100_000 }),
        description:
          'Only open car parks that have at least so many free spaces now, by a count that can be trusted. Includes `live`.',
      },
    } satisfies Record<string, Parameter>,
    response: Places,
    formats,
    cacheVersion: versionOf(datasets, parking),
    async respond({ query, format }) {
      const values: ParameterValues = query
      const { dataset: names, limit, minFreeSpaces } = query
      const isLive = minFreeSpaces !== undefined || query.include?.includes('live') === true
      const sent = Object.keys(selection).filter(name => values[name] !== undefined)
      const chosen = datasets.filter(
        ({ context, selection }) =>
          (names === undefined || names.includes(context.dataset.name)) &&
          sent.every(name => name in selection.parameters),
      )
      const { places, releases, unavailable } = await findPlaces(
        chosen,
        values,
        isLive ? liveCounts(parking) : undefined,
      )
      const free =
        minFreeSpaces === undefined ? places : places.filter(place => hasSpaces(place, minFreeSpaces))
      const results = free.slice(0, limit)
      const written = formats.find(({ name }) => name === format)
      return {
        lastModified: new Date(Math.max(0, ...releases.map(timeOf), isLive ? parking.now() : 0)),
        maxAge: isLive ? parking.secondsToNext() : MAX_AGE_S,
        staleIfError: isLive ? LIVE_STALE_IF_ERROR_S : STALE_IF_ERROR_S,
        isUnkept: isLive && !parking.hasReadHistory(),
        // Licence and source of each dataset that has places here.
        links: () =>
          releases
            .flatMap(({ dataset, synthetic }) => router.shared.linksOf(dataset, synthetic) ?? [])
            .join(', ') || undefined,
        synthetic: releases.some(({ synthetic }) => synthetic) || (isLive && parking.synthetic),
        body: written ? await writeRecords(written, results, FoundPlace) : render({ results, unavailable }),
      }
    },
  })
}

const hasSpaces = ({ open, quality, freeSpaces }: FoundPlace, least: number): boolean =>
  open === true && quality === 'good' && Number(freeSpaces) >= least

const timeOf = ({ currentSince, publishedAt }: { currentSince: string | null; publishedAt: string }) =>
  Date.parse(currentSince ?? publishedAt)

/** The parameters of the fields of all datasets, each once; an open enumeration takes what any of them holds. */
function sharedParameters(datasets: readonly PlaceDataset[]) {
  const fields = new Map<string, Field>()
  for (const { context } of datasets)
    for (const field of fieldsOf(context.dataset.record))
      if (field.filter === 'equals') fields.set(field.parameter ?? field.name, field)
  const heldValues = (name: string) =>
    datasets.flatMap(({ context }) => context.snapshotIfAny()?.heldValues[name] ?? [])
  return fieldParameters([...fields.values()], { noun: 'places', heldValues }).parameters
}

/** Returns the same list as long as all releases and live counts are the same. */
function versionOf(datasets: readonly PlaceDataset[], parking: ParkingService): () => unknown {
  let last: readonly unknown[] = []
  return () => {
    const now = [
      ...datasets.map(({ context }) => context.release()),
      ...[parking.latest(), parking.version(), parking.secondsToNext()],
    ]
    if (now.some((part, index) => part !== last[index])) last = now
    return last
  }
}
