import type { ApiError, GetJson } from '../../../../src/interfaces/web/explorer.ts'
import type { LoadRequest } from '../../page.ts'
import { type Choice, distinct, loadMeanings } from '../../places/enumerations.ts'
import type { MapLabel } from '../../places/island-drawing.tsx'
import { isLocated, type Located, type Place, placeKey } from '../../places/kinds.ts'
import { byParish, parishesOf } from '../../places/parishes.ts'
import { type Asked, apiPath, readAsked } from './asked.ts'

/** A parameter of the address that the service does not take. */
export interface Mistake {
  readonly parameter: string
  readonly text: string
}

/** What the map shows, and what can be asked of it. */
export interface MapData {
  readonly asked: Asked
  readonly places: readonly Place[]
  /** The place that the address opens. */
  readonly selected: Place | null
  /** The position that distances are measured from. */
  readonly here: Located | null
  readonly mistakes: readonly Mistake[]
  readonly unavailable: readonly string[]
  readonly parishes: readonly string[]
  readonly labels: readonly MapLabel[]
  readonly facilities: readonly Choice[]
  readonly services: readonly Choice[]
}

/** What the API says of places. */
export interface FoundPlaces {
  readonly results: readonly Place[]
  readonly unavailable: readonly string[]
}

/** Gets the places that are asked for, and what else may be asked for. */
export async function loadMap({ query, get }: LoadRequest): Promise<MapData> {
  const asked = readAsked(query)
  const [all, meanings, { found, mistakes }] = await Promise.all([
    get<FoundPlaces>('/v1/places'),
    loadMeanings(get),
    find(asked, get),
  ])
  const parishes = parishesOf(all.results)
  const selected =
    found.results.find(place => placeKey(place) === asked.place) ??
    all.results.find(place => placeKey(place) === asked.place) ??
    null
  const unknown = asked.place !== '' && selected === null
  return {
    ...{ asked, places: found.results, unavailable: found.unavailable, selected },
    here: mistakes.some(({ parameter }) => parameter === 'near') ? null : positionOf(asked.near),
    mistakes: unknown
      ? [...mistakes, { parameter: 'place', text: 'No published place has this address.' }]
      : mistakes,
    parishes: parishes.map(({ name }) => name),
    labels: parishes.filter((parish): parish is MapLabel => 'latitude' in parish),
    facilities: distinct(meanings('toilets', 'facilities')),
    services: distinct(meanings('recycling', 'services')),
  }
}

/** Asks for places; parameters that the API refuses are said to be mistakes, and left out. */
async function find(
  asked: Asked,
  get: GetJson,
): Promise<{ found: FoundPlaces; mistakes: readonly Mistake[] }> {
  try {
    return { found: await findPlaces(asked, get), mistakes: [] }
  } catch (error) {
    const errors = (error as ApiError).problem?.errors
    if (errors === undefined) throw error
    const refused = errors.map(({ parameter }) => parameter)
    return {
      found: await findPlaces(asked, get, refused),
      mistakes: errors.map(({ parameter, value, detail, nearest }) => ({
        parameter,
        text:
          nearest === undefined
            ? `“${value}” ${shortened(detail)}`
            : `“${value}” is not known. Did you mean ${nearest}?`,
      })),
    }
  }
}

/** Gets the places that are asked for; from a position nearest first, then by parish the others, whose position is not known. */
export async function findPlaces(
  asked: Asked,
  get: GetJson,
  refused: readonly string[] = [],
): Promise<FoundPlaces> {
  const found = await get<FoundPlaces>(apiPath(asked, refused))
  if (asked.near === '' || refused.includes('near')) return found
  const all = await get<FoundPlaces>(apiPath(asked, [...refused, 'near']))
  const measured = new Set(found.results.map(placeKey))
  const others = all.results.filter(place => !measured.has(placeKey(place)))
  return { ...found, results: [...found.results, ...others.toSorted(byParish)] }
}

/** Long lists of what is allowed stand in the form itself. */
const shortened = (detail: string) =>
  detail.startsWith('must be one of') ? 'is not one of these.' : `${detail}.`

function positionOf(near: string): Located | null {
  const [latitude = Number.NaN, longitude = Number.NaN] = near.split(',').map(Number)
  const position = { latitude, longitude }
  return near !== '' && isLocated(position) ? position : null
}
