import type { DatasetContext } from '../../datasets/dataset.ts'
import { Problem } from '../../errors.ts'
import type { ParkingService } from '../../parking/service.ts'
import { DISTANCE } from '../../query/list/place.ts'
import type { ParameterValues } from '../../query/parameters/parameter-values.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { Release } from '../../store/store.ts'
import type { SelectionParameters } from '../rest/selection.ts'
import type { FoundPlace } from './place-schema.ts'

/** A dataset whose records have a position, and the parameters that select them. */
export interface PlaceDataset {
  readonly context: DatasetContext
  readonly selection: SelectionParameters
  /** Its address, relative to the host. */
  readonly address: string
}

/** The places found, and the releases that they are from. */
export interface FoundPlaces {
  readonly places: readonly FoundPlace[]
  readonly releases: readonly Release[]
  readonly unavailable: readonly string[]
}

/**
 * Finds places in several datasets: nearest first with a point, else dataset by dataset. Without any dataset available it
 * throws the problem DATASET_UNAVAILABLE.
 */
export async function findPlaces(
  datasets: readonly PlaceDataset[],
  values: ParameterValues,
  liveOf: ((record: StoredRecord) => LiveCount) | undefined,
): Promise<FoundPlaces> {
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

/** Gives the problem DATASET_UNAVAILABLE back, and throws any other error. */
function unavailable(error: unknown): Problem {
  if (error instanceof Problem && error.code === 'DATASET_UNAVAILABLE') return error
  throw error
}

async function placesOf(
  { context, selection, address }: PlaceDataset,
  values: ParameterValues,
  liveOf: ((record: StoredRecord) => LiveCount) | undefined,
) {
  const { name: dataset, knownBy } = context.dataset
  const selected = selection.select(values)
  return context.readSnapshot(async ({ release, collection }) => {
    const places: FoundPlace[] = []
    for await (const batch of (await collection.execute(selected)).batches())
      for (const record of batch.records())
        places.push({
          ...{ dataset, id: String(record.id), name: String(record[knownBy[0] ?? 'id']) },
          parish: typeof record.parish === 'string' ? record.parish : null,
          latitude: degrees(record.latitude),
          longitude: degrees(record.longitude),
          path: `${address}/${record.id}`,
          ...(selected.place?.near && { [DISTANCE]: Number(record[DISTANCE]) }),
          ...liveOf?.(record),
        })
    return { release, places }
  })
}

const degrees = (value: unknown) => (typeof value === 'number' ? value : null)

/** The live count of a place; null where it is not counted. */
export type LiveCount = Required<Pick<FoundPlace, 'freeSpaces' | 'open' | 'quality' | 'observedAt'>>

const UNCOUNTED: LiveCount = { freeSpaces: null, open: null, quality: null, observedAt: null }

/** Returns the live counts of records, by their live tracking codes. */
export function liveCounts(parking: Pick<ParkingService, 'current'>): (record: StoredRecord) => LiveCount {
  const counted = new Map(parking.current()?.results.map(entry => [entry.code.toUpperCase(), entry]))
  return ({ liveTrackingCode: code }) => {
    const entry = typeof code === 'string' ? counted.get(code.toUpperCase()) : undefined
    if (entry === undefined) return UNCOUNTED
    const { spaces: freeSpaces, open, quality, observedAt } = entry
    return { freeSpaces, open, quality, observedAt }
  }
}
