import Type from 'typebox'
import type { DatasetContext } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'
import { Problem } from '../../errors.ts'
import { writeRecords } from '../../formats/format.ts'
import { formatsFor } from '../../formats/formats.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import { serialiser } from '../../http/representation.ts'
import type { Router } from '../../http/router.ts'
import { QUALITIES } from '../../parking/quality/quality.ts'
import type { ParkingService } from '../../parking/service.ts'
import { type Field, fieldsOf } from '../../query/fields.ts'
import { hasGeometry } from '../../query/geometry.ts'
import { DISTANCE } from '../../query/list-collection.ts'
import { distinct, fieldParameters, type ParameterValues } from '../../query/parameters.ts'
import { PLACE_PARAMETERS } from '../../query/place-parameters.ts'
import type { StoredRecord } from '../../query/query.ts'
import { DAY_S, HOUR_S } from '../../values/time-units.ts'
import { integer, listOf, oneOf, type Parameter } from '../../values/values.ts'
import { limitParameter } from '../rest/pagination.ts'
import { type SelectionParameters, selectionOf } from '../rest/respond.ts'

/** A place of any dataset. */
const FoundPlace = Type.Object(
  {
    dataset: Type.String({ description: 'The dataset that it is from.', examples: ['toilets'] }),
    id: field.id(),
    name: field.text({ description: 'What it is called, or where it is.' }),
    parish: field.nullableText({ description: 'The parish; null where the dataset has none.' }),
    latitude: field.latitude(),
    longitude: field.longitude(),
    path: Type.String({ description: 'Where its whole record is.', examples: ['/v1/toilets/{id}'] }),
    [DISTANCE]: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only with `near`: the distance from there in metres.' }),
    ),
    freeSpaces: Type.Optional(
      field.nullableInteger({
        description:
          'Only with live counts: the free spaces of a car park now; null where they are not counted.',
        minimum: 0,
      }),
    ),
    open: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'Only with live counts: whether the car park is open; null where the feed does not say.',
      }),
    ),
    quality: Type.Optional(
      field.nullableEnumeration(QUALITIES, {
        description: 'Only with live counts: how far the count can be trusted; null without one.',
      }),
    ),
    observedAt: Type.Optional(
      field.nullableTimestamp({ description: 'Only with live counts: when the feed counted.' }),
    ),
  },
  { $id: 'Place', title: 'Place', description: 'A car park, toilet, recycling centre or defibrillator.' },
)
type FoundPlace = Type.Static<typeof FoundPlace>

const Places = Type.Object({
  results: Type.Array(FoundPlace, {
    description: 'Nearest first with `near`, else dataset by dataset in the order of their lists.',
  }),
  unavailable: Type.Array(Type.String(), {
    description: 'Datasets that are not available now, whose places are missing from the results.',
  }),
})

/** A dataset whose records have a position, and the parameters that select them. */
interface PlaceDataset {
  readonly context: DatasetContext
  readonly selection: SelectionParameters
  /** The address of its list, relative to the host. */
  readonly address: string
}

/**
 * Finds places in several datasets: nearest first with a point, else dataset by dataset. Also returns the releases of the
 * places, and the unavailable datasets. Throws the problem DATASET_UNAVAILABLE if no dataset is available.
 */
async function findPlaces(
  datasets: readonly PlaceDataset[],
  values: ParameterValues,
  liveOf: LiveCounts | undefined,
) {
  const results = await Promise.all(
    datasets.map(dataset => placesOf(dataset, values, liveOf).catch(unavailable)),
  )
  const found = results.flatMap(result => (result instanceof Problem ? [] : result))
  const [missing] = results.filter(result => result instanceof Problem)
  if (missing !== undefined && found.length === 0) throw missing
  const places = found.flatMap(result => result.places)
  if (values.near !== undefined) places.sort((one, other) => Number(one[DISTANCE]) - Number(other[DISTANCE]))
  return {
    places,
    releases: found.map(({ release }) => release),
    unavailable: datasets.flatMap(({ context }, index) =>
      results[index] instanceof Problem ? context.dataset.name : [],
    ),
  }
}

/** Returns the problem DATASET_UNAVAILABLE, and throws any other error. */
function unavailable(error: unknown): Problem {
  if (error instanceof Problem && error.code === 'DATASET_UNAVAILABLE') return error
  throw error
}

async function placesOf(
  { context, selection, address }: PlaceDataset,
  values: ParameterValues,
  liveOf: LiveCounts | undefined,
) {
  const { name: dataset, knownBy } = context.dataset
  const selected = selection.select(values)
  return context.readSnapshot(async ({ release, collection }) => {
    const places: FoundPlace[] = []
    for await (const batch of (await collection.execute(selected)).batches())
      for (const record of batch.records()) {
        const place: FoundPlace = {
          dataset,
          id: String(record.id),
          name: String(record[knownBy[0] ?? 'id']),
          parish: typeof record.parish === 'string' ? record.parish : null,
          latitude: degrees(record.latitude),
          longitude: degrees(record.longitude),
          path: `${address}/${record.id}`,
        }
        if (selected.place?.near) place[DISTANCE] = Number(record[DISTANCE])
        places.push({ ...place, ...liveOf?.(record) })
      }
    return { release, places }
  })
}

const degrees = (value: unknown) => (typeof value === 'number' ? value : null)

/** The live count of a place; null if the place is not counted. */
type LiveCount = Required<Pick<FoundPlace, 'freeSpaces' | 'open' | 'quality' | 'observedAt'>>

const UNCOUNTED: LiveCount = { freeSpaces: null, open: null, quality: null, observedAt: null }

type LiveCounts = (record: StoredRecord) => LiveCount

/** Returns the live counts of records, by their live tracking codes. */
function liveCounts(parking: ParkingService): LiveCounts {
  const counted = new Map(parking.current()?.results.map(entry => [entry.code.toUpperCase(), entry]))
  return ({ liveTrackingCode: code }) => {
    const entry = typeof code === 'string' ? counted.get(code.toUpperCase()) : undefined
    if (entry === undefined) return UNCOUNTED
    const { spaces: freeSpaces, open, quality, observedAt } = entry
    return { freeSpaces, open, quality, observedAt }
  }
}

const PATH = '/v1/places'
const MAX_AGE_S = HOUR_S
const STALE_IF_ERROR_S = DAY_S
/** Old numbers of free spaces mislead. */
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
        context,
        selection: selectionOf(context),
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
        link:
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

/** The parameters of the fields of all datasets, each once. An open enumeration accepts the values that any dataset holds. */
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
