import type { GetJson } from '../../../src/interfaces/web/explorer.ts'
import { attempt, orNull } from '../parts/attempt.ts'
import { type Origin, originOf } from '../parts/origin.tsx'
import { language } from '../texts/en/language.ts'
import type { CarPark, CarParkInBrief, Forecast, LiveSpaces } from './records.ts'
import { countOf, type Expected, isSameCode, type Row } from './row.ts'

/** The counts of all car parks in the live feed. */
export interface Counts {
  /** The feed's own time; null before the first reading. */
  readonly at: string | null
  readonly rows: readonly Row[]
  /** The feed's names for codes without a published car park: tests of the feed, or new car parks. */
  readonly unmatched: readonly string[]
  /** The service's reason for missing counts. */
  readonly refusal: string | null
}

/** The times ahead of the forecasts, in minutes. */
export const WAITS = [15, 30, 60, 120] as const
export type Wait = (typeof WAITS)[number]

/** Gets the counts of all car parks, and the forecasts for a time ahead if one is given. */
export async function loadCounts(get: GetJson, wait?: Wait): Promise<Counts> {
  const include = wait === undefined ? 'quality' : 'quality,forecast'
  const [live, carParks] = await Promise.all([
    attempt(get<LiveSpaces>(`/v1/carparks/live-spaces?include=${include}`)),
    loadCarParks(get),
  ])
  if ('refusal' in live) return { at: null, rows: [], unmatched: [], refusal: live.refusal }
  return { at: live.timestamp, ...matched(live, carParks, wait), refusal: null }
}

/** Gets the origin of the car parks. */
export async function loadOrigin(get: GetJson): Promise<Origin | null> {
  const found = await orNull(get<Origin>('/v1/datasets/carparks'))
  return found === null ? null : originOf(found)
}

/** Gets all car parks; null without a release of them. */
export const loadCarParks = async (get: GetJson): Promise<readonly CarPark[] | null> =>
  (await orNull(get<{ results: readonly CarPark[] }>('/v1/carparks')))?.results ?? null

/** The car parks in the order of the feed, then the missing car parks by name. Entries without a car park are apart. */
function matched(
  { results, missing }: LiveSpaces,
  carParks: readonly CarPark[] | null,
  wait: Wait | undefined,
): Pick<Counts, 'rows' | 'unmatched'> {
  const find = (code: string) =>
    carParks?.find(
      ({ liveTrackingCode }) => liveTrackingCode !== null && isSameCode(liveTrackingCode, code),
    ) ?? null
  const listed = results.map(entry => ({
    ...rowOf(entry, find(entry.code), entry.name),
    expected: entry.quality === 'good' ? expectedIn(entry.forecast, wait) : null,
  }))
  const unlisted = missing.map(entry => rowOf(entry, find(entry.code), entry.name ?? entry.code))
  unlisted.sort((one, other) => one.name.localeCompare(other.name, language.locale))
  // Without a release, each car park that the feed had within the last week.
  const isMatched = ({ carPark }: Row) => carParks === null || carPark !== null
  return {
    rows: [...listed, ...unlisted].filter(isMatched),
    unmatched: listed.filter(row => !isMatched(row)).map(({ name }) => name),
  }
}

const rowOf = (
  entry: LiveSpaces['results'][number] | LiveSpaces['missing'][number],
  carPark: CarPark | null,
  name: string,
): Row => ({
  ...{ code: entry.code, name: carPark?.name ?? name, count: countOf(entry), expected: null },
  carPark: carPark && briefly(carPark),
})

/** The fields of a record that a list needs: the page carries all data that it gets. */
export const briefly = ({
  name,
  type,
  paymentMethods,
  payByPhoneCode,
  spaces,
  latitude,
  longitude,
}: CarPark): CarParkInBrief => ({
  ...{ name, type, paymentMethods, payByPhoneCode, spaces, latitude, longitude },
})

/** The part of a forecast for a time after its count; null without such a part. */
export function expectedIn(
  forecast: Forecast['results'] | undefined,
  wait: Wait | undefined,
): Expected | null {
  const entry = forecast?.find(({ minutesAhead }) => minutesAhead === wait)
  if (entry === undefined) return null
  const { minutesAhead, at, expected, low, high, chanceOfTen } = entry
  return { minutesAhead, at, expected, low, high, chanceOfTen }
}
