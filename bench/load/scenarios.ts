import { LIVE_CARPARKS } from '../../demo/feed/live-carparks.ts'
import type { ServiceSettings } from '../servers/service-settings.ts'

/**
 * The subject of a scenario, which decides its target. `ready`: the answer exists before the request. `unlogged`: the same
 * without the request log. `computed`: a page is found and assembled. `counted`: counts are made. `mix`: a thousand distinct
 * queries, computed. `refused`: the request is wrong, or over the limit; such requests flood a public service.
 */
export type Kind = 'ready' | 'unlogged' | 'computed' | 'counted' | 'mix' | 'refused'

/** A request, or several in turn, sent again and again. */
export interface Scenario {
  readonly name: string
  /** The addresses, requested in turn; undefined for the mix. */
  readonly paths: readonly string[] | undefined
  readonly kind: Kind
  /** The service that gets the requests. */
  readonly service: keyof ServiceSettings
  /** The status of every answer; 200 if undefined. */
  readonly status?: number
  /** Whether the consumer sends the tag of its copy, or accepts gzip. */
  readonly asks?: 'whether its copy is good' | 'for gzip'
}

export const PAGE_UNLOGGED = 'vehicles first page, no log'
export const LIST_UNLOGGED = 'carparks, no log'
export const MIX_UNCACHED = 'mix, no cache'
export const FIRST_PAGE_UNCACHED = 'vehicles first page, no cache'
export const DEEP_PAGE_UNCACHED = 'vehicles page 4,000, no cache'

const VEHICLES = '/v1/vehicles'
const RANGE = 'startDate=2015-01-01&endDate=2017-12-31'
const HERE = 'dateType=regInJersey'

const ready = (name: string, path: string, more: Partial<Scenario> = {}): Scenario => ({
  ...{ name, paths: [path], kind: 'ready', service: 'memory' },
  ...more,
})

const LISTS = [
  ready('toilets', '/v1/toilets'),
  ready('recycling', '/v1/recycling'),
  ready('defibrillators', '/v1/defibrillators'),
  ready('carparks', '/v1/carparks'),
  ready('product-recalls first page', '/v1/product-recalls'),
  ready('live-spaces', '/v1/carparks/live-spaces'),
  ready('one carpark', `/v1/carparks/${LIVE_CARPARKS[0]?.code}`),
]

/** Requested with the cache and without. */
const VEHICLE_QUESTIONS: readonly [name: string, path: string, kind: Kind][] = [
  ['vehicles first page', VEHICLES, 'computed'],
  ['vehicles page 4,000', `${VEHICLES}?page=4000`, 'computed'],
  ['make=ford', `${VEHICLES}?make=ford`, 'computed'],
  ['model=fiesta&color=blue', `${VEHICLES}?model=fiesta&color=blue`, 'computed'],
  ['q=ford fiesta', `${VEHICLES}?q=ford+fiesta`, 'computed'],
  ['sort=model, page 4,000', `${VEHICLES}?sort=model&page=4000`, 'computed'],
  ['three years, first date', `${VEHICLES}?${RANGE}`, 'computed'],
  ['three years, date here', `${VEHICLES}?${RANGE}&${HERE}`, 'computed'],
  ['makes', `${VEHICLES}/makes`, 'counted'],
  ['colors', `${VEHICLES}/stats/colors`, 'counted'],
  ['by make and year', `${VEHICLES}/stats?by=make,year&top=10`, 'counted'],
  ['models', `${VEHICLES}/models?top=10`, 'counted'],
  ['makes, three years', `${VEHICLES}/makes?${RANGE}`, 'counted'],
  ['colors, three years', `${VEHICLES}/stats/colors?${RANGE}`, 'counted'],
  ['makes, three years here', `${VEHICLES}/makes?${RANGE}&${HERE}`, 'counted'],
  ['colors, three years here', `${VEHICLES}/stats/colors?${RANGE}&${HERE}`, 'counted'],
]

/** Five hundred different wrong requests, many more than are in flight at a time. */
const wrong = (...starts: string[]) =>
  Array.from({ length: 500 }, (_, i) => `${starts[i % starts.length]}${i}`)

const refused = (status: number, name: string, paths: readonly string[]): Scenario => ({
  ...{ name: `${status} ${name}`, paths, kind: 'refused', service: 'memory', status },
})

const WRONG_ADDRESSES = wrong('/v1/vehicels/', '/v1/toilet/', '/wp-admin/', '/.env.')
const WRONG_PARAMETERS = wrong('page=x', 'fuelType=diesl', 'startDate=2015-13-', 'sort=colr')

const REFUSED: readonly Scenario[] = [
  refused(404, 'wrong addresses', WRONG_ADDRESSES),
  refused(
    400,
    'wrong parameters',
    WRONG_PARAMETERS.map(parameter => `${VEHICLES}?${parameter}`),
  ),
  { ...refused(429, 'vehicles', [VEHICLES]), service: 'limited' },
]

/** Every scenario, in the order of the report: first ready and refused answers, then computed answers. */
export const SCENARIOS: readonly Scenario[] = [
  ...LISTS,
  ...VEHICLE_QUESTIONS.filter(([name]) => !name.includes(', three years')).map(([name, path]) =>
    ready(name, path),
  ),
  ready('mix, cached', '', { paths: undefined }),
  ready('304 toilets', '/v1/toilets', { asks: 'whether its copy is good', status: 304 }),
  ready('304 vehicles', VEHICLES, { asks: 'whether its copy is good', status: 304 }),
  ready('gzip toilets', '/v1/toilets', { asks: 'for gzip' }),
  ready('gzip vehicles', VEHICLES, { asks: 'for gzip' }),
  ...REFUSED,
  ready(PAGE_UNLOGGED, VEHICLES, { kind: 'unlogged', service: 'unlogged' }),
  ready(LIST_UNLOGGED, '/v1/carparks', { kind: 'unlogged', service: 'unlogged' }),
  ...VEHICLE_QUESTIONS.map(([name, path, kind]) =>
    ready(`${name}, no cache`, path, { kind, service: 'memoryUncached' }),
  ),
  { name: MIX_UNCACHED, paths: undefined, kind: 'mix', service: 'memoryUncached' },
]

/** A quick run measures only these. */
export const QUICK: readonly string[] = [
  ...['toilets', 'live-spaces', 'vehicles first page', 'mix, cached', '304 vehicles'],
  ...REFUSED.map(({ name }) => name),
  ...[PAGE_UNLOGGED, LIST_UNLOGGED, MIX_UNCACHED],
]

/** Whether a scenario counts with date bounds. */
export const isBoundedCount = ({ name, kind }: Pick<Scenario, 'name' | 'kind'>) =>
  kind === 'counted' && name.includes(', three years')
