import { LIVE_CARPARKS } from '../../src/demo/feed/live-carparks.ts'

/**
 * What a scenario is about, and so which target holds for it. `ready`: the answer is there before the question.
 * `computed`: a page is found and assembled. `counted`: counts are made. `mix`: a thousand distinct queries, computed.
 */
export type Kind = 'ready' | 'computed' | 'counted' | 'mix'

/** Something that is asked again and again. */
export interface Scenario {
  readonly name: string
  /** The address; the mix has a thousand. */
  readonly path: string | undefined
  readonly kind: Kind
  /** Whether the service keeps answers. Without, it is compared with SQL too. */
  readonly cache: boolean
  /** What the consumer sends along: its copy's tag, or that it takes gzip. */
  readonly asks?: 'whether its copy is good' | 'for gzip'
  /** Whether a quick run has it. */
  readonly quick: boolean
}

export const MIX_UNCACHED = 'mix, no cache'
export const FIRST_PAGE_UNCACHED = 'vehicles first page, no cache'
export const DEEP_PAGE_UNCACHED = 'vehicles page 4,000, no cache'

const VEHICLES = '/v1/vehicles'
const RANGE = 'startDate=2015-01-01&endDate=2017-12-31'
const HERE = 'dateType=regInJersey'

const ready = (name: string, path: string, more: Partial<Scenario> = {}): Scenario => ({
  ...{ name, path, kind: 'ready', cache: true, quick: true },
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

/** Each is asked with the cache and without. */
const VEHICLE_QUESTIONS: readonly [name: string, path: string, kind: Kind, quickWithCache: boolean][] = [
  ['vehicles first page', VEHICLES, 'computed', true],
  ['vehicles page 4,000', `${VEHICLES}?page=4000`, 'computed', false],
  ['make=ford', `${VEHICLES}?make=ford`, 'computed', true],
  ['model=fiesta&color=blue', `${VEHICLES}?model=fiesta&color=blue`, 'computed', false],
  ['q=ford fiesta', `${VEHICLES}?q=ford+fiesta`, 'computed', false],
  ['sort=model, page 4,000', `${VEHICLES}?sort=model&page=4000`, 'computed', false],
  ['three years, first date', `${VEHICLES}?${RANGE}`, 'computed', false],
  ['three years, date here', `${VEHICLES}?${RANGE}&${HERE}`, 'computed', false],
  ['makes', `${VEHICLES}/makes`, 'counted', true],
  ['colors', `${VEHICLES}/stats/colors`, 'counted', false],
  ['by make and year', `${VEHICLES}/stats?by=make,year&top=10`, 'counted', false],
  ['models', `${VEHICLES}/models?top=10`, 'counted', false],
  ['makes, three years', `${VEHICLES}/makes?${RANGE}`, 'counted', false],
  ['colors, three years', `${VEHICLES}/stats/colors?${RANGE}`, 'counted', false],
  ['makes, three years here', `${VEHICLES}/makes?${RANGE}&${HERE}`, 'counted', false],
  ['colors, three years here', `${VEHICLES}/stats/colors?${RANGE}&${HERE}`, 'counted', false],
]

/** Every scenario, in the order of the report: first those that are ready, then those that are worked for. */
export const SCENARIOS: readonly Scenario[] = [
  ...LISTS,
  ...VEHICLE_QUESTIONS.filter(([name]) => !name.includes(', three years')).map(([name, path, , quick]) =>
    ready(name, path, { quick }),
  ),
  ready('mix, cached', '', { path: undefined }),
  ready('304 toilets', '/v1/toilets', { asks: 'whether its copy is good' }),
  ready('304 vehicles', VEHICLES, { asks: 'whether its copy is good' }),
  ready('gzip toilets', '/v1/toilets', { asks: 'for gzip' }),
  ready('gzip vehicles', VEHICLES, { asks: 'for gzip' }),
  ...VEHICLE_QUESTIONS.map(
    ([name, path, kind]): Scenario => ({ name: `${name}, no cache`, path, kind, cache: false, quick: true }),
  ),
  { name: MIX_UNCACHED, path: undefined, kind: 'mix', cache: false, quick: true },
]

/** Whether a scenario counts with date bounds. */
export const isBoundedCount = ({ name, kind }: Pick<Scenario, 'name' | 'kind'>) =>
  kind === 'counted' && name.includes(', three years')
