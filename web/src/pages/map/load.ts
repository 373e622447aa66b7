import type { ApiError, GetJson } from '../../../../src/interfaces/web/explorer.ts'
import type { LoadRequest } from '../../page.ts'
import { distinct, loadMeanings } from '../../places/enumerations.ts'
import type { MapLabel } from '../../places/island-drawing.tsx'
import { placeKey, positionOf } from '../../places/kinds.ts'
import { type FoundPlaces, getPlaces } from '../../places/offers.ts'
import { byParish, parishesOf } from '../../places/parishes.ts'
import { map } from '../../texts/en/map.ts'
import { text } from '../../texts/text.ts'
import { type Asked, apiPath, readAsked } from './asked.ts'

/** A parameter with a value that the service refuses. */
export interface Mistake {
  readonly parameter: string
  readonly text: string
}

/** The places on the map, and the choices of its filters. */
export type MapData = Awaited<ReturnType<typeof loadMap>>

/** Gets the places that the address asks for, and the choices of the filters. */
export async function loadMap({ query, get }: Pick<LoadRequest, 'query' | 'get'>) {
  const asked = readAsked(query)
  const [all, meanings, { found, mistakes }] = await Promise.all([
    getPlaces(get, '/v1/places?include=live'),
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
    // The position that distances are measured from.
    here: mistakes.some(({ parameter }) => parameter === 'near') ? null : positionOf(asked.near),
    mistakes: unknown ? [...mistakes, { parameter: 'place', text: map.notFound }] : mistakes,
    parishes: parishes.map(({ name }) => name),
    labels: parishes.filter((parish): parish is MapLabel => 'latitude' in parish),
    facilities: distinct(meanings('toilets', 'facilities')),
    services: distinct(meanings('recycling', 'services')),
  }
}

/** Asks for places. Parameters that the API refuses become mistakes, and are left out. */
async function find(asked: Asked, get: GetJson) {
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
            ? faultText(String(value), detail)
            : text(map.notKnown, { value: String(value), nearest }),
      })),
    }
  }
}

/** Gets the places that the address asks for. From a position, the nearest come first, and places without a position last, by parish. */
export async function findPlaces(
  asked: Asked,
  get: GetJson,
  refused: readonly string[] = [],
): Promise<FoundPlaces> {
  const found = await getPlaces(get, apiPath(asked, refused))
  if (asked.near === '' || refused.includes('near')) return found
  const all = await getPlaces(get, apiPath(asked, [...refused, 'near']))
  const measured = new Set(found.results.map(placeKey))
  const others = all.results.filter(place => !measured.has(placeKey(place)))
  return { ...found, results: [...found.results, ...others.toSorted(byParish)] }
}

/** The fault of a value. The form has the list of allowed values, so the text leaves it out. */
const faultText = (value: string, fault: string) =>
  fault.startsWith('must be one of') ? text(map.notInList, { value }) : text(map.fault, { value, fault })
