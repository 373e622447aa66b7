import { Temporal } from 'temporal-polyfill'
import { writeRecords } from '../../formats/format.ts'
import { formatsFor } from '../../formats/formats.ts'
import { addEndpoint, type EndpointRequest } from '../../http/endpoint.ts'
import { invalidParameters } from '../../http/parameters.ts'
import { type Content, serialiser } from '../../http/representation.ts'
import type { Router } from '../../http/router.ts'
import type { HistoricReading, ReadingSummary } from '../../store/store.ts'
import { type Moment, moment } from '../../values/dates.ts'
import { DAY_MS, HOUR_MS } from '../../values/time-units.ts'
import { oneOf } from '../../values/values.ts'
import {
  bucketBounds,
  fillBuckets,
  INTERVALS,
  type Interval,
  meanOf,
  startOfDay,
} from '../history/buckets.ts'
import {
  allHistory,
  type Bucket,
  carparkHistory,
  HistoryBucket,
  HistoryReading,
} from '../history/history-schema.ts'
import type { FeedCarPark } from '../model.ts'
import type { ParkingService } from '../service.ts'
import {
  feedCarPark,
  feedCarParks,
  minuteVersion,
  modelRepresentation,
  OF_ONE_CARPARK,
  type ParkingContext,
  requireHistory,
  TAG,
} from './parking-context.ts'

/** The detail of history: reading by reading, or in intervals. */
const DETAILS = ['raw', ...INTERVALS] as const
type Detail = (typeof DETAILS)[number]

/** The longest period of one response, in days, so that none has more than some 10,000 rows. */
const LONGEST_DAYS: Readonly<Record<'one' | 'all', Readonly<Record<Detail, number>>>> = {
  one: { raw: 31, '15m': 100, '1h': 400, '1d': 1100 },
  all: { raw: 4, '15m': 13, '1h': 50, '1d': 140 },
}
/** The longest periods for all car parks hold for this many; more shorten them, down to a day. */
const MOST_AT_LENGTH = 10

/** The days without `from`, as far as the longest period allows. */
const USUAL_DAYS: Readonly<Record<Detail, number>> = { raw: 1, '15m': 1, '1h': 7, '1d': 31 }

/** Earlier than any reading, with a four-digit year. */
const EARLIEST = Temporal.PlainDate.from('1970-01-01')

const PARAMETERS = {
  interval: {
    type: oneOf(DETAILS),
    default: '15m' as const,
    description:
      '`raw` gives each reading; `15m`, `1h` and `1d` aggregate them. Days follow local time, with 23 or 25 hours when the clocks change.',
  },
  from: {
    type: moment(),
    description:
      'Start, inclusive; a date begins at local midnight. By default a day before `to` (1h: 7 days, 1d: 31 days).',
  },
  to: {
    type: moment(),
    description: 'End, exclusive; a date includes the whole day. By default now.',
  },
}
type Request = EndpointRequest<typeof PARAMETERS>

const longest = (of: 'one' | 'all') =>
  DETAILS.map(detail => `${LONGEST_DAYS[of][detail]} days with \`${detail}\``).join(', ')

/** GET /v1/carparks/live-spaces/history and /v1/carparks/{id or code}/history. */
export function addHistoryRoutes(router: Router, context: ParkingContext): void {
  const formats = formatsFor(context.carParks.formats, HistoryReading)
  const shared = {
    tag: TAG,
    parameters: PARAMETERS,
    formats: formats.map(format => ({
      ...format,
      description: `The same rows, each with its code. ${format.description}`,
    })),
    expensive: true,
    cacheVersion: minuteVersion(context),
  }
  addEndpoint(router, {
    ...shared,
    path: '/v1/carparks/live-spaces/history',
    operationId: 'listLiveSpacesHistory',
    summary: 'Past free spaces, all car parks',
    description: `Past counts from the live feed, as it gave them, with how far they can be trusted. An interval without a reading has count 0. One response covers at most ${longest('all')}.`,
    response: allHistory.either,
    problems: [503],
    respond: respondWith(context, allHistory, () => ({
      codes: feedCarParks(context).map(({ code }) => code),
    })),
  })
  addEndpoint(router, {
    ...shared,
    ...OF_ONE_CARPARK,
    path: '/v1/carparks/:idOrCode/history',
    operationId: 'getCarparkHistory',
    summary: 'Past free spaces, one car park',
    description: `Past counts of one car park from the live feed, as it gave them, with how far they can be trusted. An interval without a reading has count 0. One response covers at most ${longest('one')}.`,
    response: carparkHistory.either,
    respond: respondWith(context, carparkHistory, ({ params }) => {
      requireHistory(context)
      const one = feedCarPark(context, params)
      return { codes: [one.code], one }
    }),
  })
}

interface Scope {
  readonly codes: readonly string[]
  /** The car park of a history of one. */
  readonly one?: FeedCarPark
}

function respondWith(
  context: ParkingContext,
  schemas: typeof allHistory,
  scopeOf: (request: Request) => Scope,
) {
  const { parking, carParks } = context
  const renderReadings = serialiser(schemas.readings)
  const renderBuckets = serialiser(schemas.buckets)
  const write = async ({ query, format }: Request, scope: Scope): Promise<Content> => {
    const { interval } = query
    const period = periodOf(query, scope, parking)
    const isRaw = interval === 'raw'
    const results = isRaw
      ? await readings(parking, period, scope)
      : await buckets(parking, period, interval, scope)
    const written = carParks.formats.find(({ name }) => name === format)
    if (written !== undefined)
      return { body: await writeRecords(written, [...results], isRaw ? HistoryReading : HistoryBucket) }
    const render = isRaw ? renderReadings : renderBuckets
    return { body: render({ ...scope.one, results }) }
  }
  return (request: Request) => {
    const scope = scopeOf(request)
    return modelRepresentation(context, () => write(request, scope))
  }
}

/** A half-open period of time, in milliseconds since 1970 UTC. */
interface Period {
  readonly from: number
  readonly to: number
}

/**
 * The period of a query. A date is the whole of that day by the island's clocks, at either end; without `to` it ends
 * now. Throws the problem INVALID_PARAMETER where it ends before it begins, or is longer than allowed.
 */
function periodOf({ interval, ...query }: Request['query'], scope: Scope, parking: ParkingService): Period {
  const { timeZone } = parking.clock
  const longest = longestDays(interval, scope)
  const usual = Math.min(USUAL_DAYS[interval], longest)
  const to = query.to === undefined ? parking.now() : boundOf(query.to, timeZone, 1)
  const from = query.from === undefined ? to - usual * DAY_MS : boundOf(query.from, timeZone, 0)
  if (from < startOfDay(EARLIEST, timeZone))
    throw wrong(query.from === undefined ? 'to' : 'from', 'is too early', `a time from ${EARLIEST} on`)
  if (from >= to) throw wrong('from', 'must be before to', 'a time before to, which is now by default')
  // Tolerates the longer days of clock changes.
  if (to - from <= longest * DAY_MS + DAY_MS / 12) return { from, to }
  const days = Math.ceil((to - from) / DAY_MS)
  throw wrong(
    'from',
    `and to are ${days} days apart, too many for interval=${interval}`,
    `at most ${longest} days with interval=${interval}; ${wider(interval, days, scope)}ask for a part at a time`,
  )
}

function longestDays(interval: Detail, { one, codes }: Scope): number {
  if (one !== undefined) return LONGEST_DAYS.one[interval]
  const days = (LONGEST_DAYS.all[interval] * MOST_AT_LENGTH) / Math.max(MOST_AT_LENGTH, codes.length)
  return Math.max(1, Math.floor(days))
}

function wider(interval: Detail, days: number, scope: Scope): string {
  const wider = DETAILS.slice(DETAILS.indexOf(interval) + 1)
  const fitting = wider.find(other => days <= longestDays(other, scope))
  return fitting === undefined ? '' : `interval=${fitting} takes so many, or `
}

const wrong = (parameter: string, detail: string, allowed: string) =>
  invalidParameters([{ parameter, detail, allowed }])

/** The instant of a moment. For a day, its start; with `days` 1, its end. */
const boundOf = (moment: Moment, timeZone: string, days: 0 | 1): number =>
  'day' in moment ? startOfDay(Temporal.PlainDate.from(moment.day).add({ days }), timeZone) : moment.instant

async function readings({ history, model }: ParkingService, period: Period, { one }: Scope) {
  const kept = await history.readings({ ...period, ...(one && { code: one.code }) })
  if (one === undefined) kept.sort(byCode)
  const { pastQuality } = model()
  return kept.map(({ at, ...reading }) => ({
    ...reading,
    at: new Date(at).toISOString(),
    quality: pastQuality(reading.code, at),
  }))
}

/** Readings are in the order of time, and stay so within a code. */
const byCode = (a: HistoricReading, b: HistoricReading): number => {
  const [first, other] = [a.code.toUpperCase(), b.code.toUpperCase()]
  return first === other ? 0 : first < other ? -1 : 1
}

async function buckets(
  parking: ParkingService,
  { from, to }: Period,
  interval: Interval,
  { codes, one }: Scope,
): Promise<Bucket[]> {
  const { history, clock, now } = parking
  const { pastQuality } = parking.model()
  const bounds = bucketBounds(interval, from, Math.min(to, now()), clock)
  const isHours = interval !== '15m' && bounds.every(bound => bound % HOUR_MS === 0)
  const period = { from: bounds[0] ?? from, to: bounds.at(-1) ?? to }
  const range = { ...period, ...(one && { code: one.code }) }
  const summaries = await history.summaries(range, isHours ? 'hour' : 'quarter')
  const untrusted: ReadingSummary[] = []
  for (const code of codes) untrusted.push(...(await untrustedReadings(parking, { ...period, code })))
  untrusted.sort((a, b) => a.from - b.from)
  const bad = fillBuckets(untrusted, bounds, codes)
  return fillBuckets(summaries, bounds, codes).map(({ sum, ...bucket }, place) => {
    if (bucket.count > 0 && pastQuality(bucket.code, Date.parse(bucket.from)) === null)
      return { ...bucket, goodCount: null, goodMean: null }
    const goodCount = bucket.count - (bad[place]?.count ?? 0)
    return { ...bucket, goodCount, goodMean: meanOf(sum - (bad[place]?.sum ?? 0), goodCount) }
  })
}

/** Spans this near to each other are read with what lies between: a query costs as much as some readings. */
const READ_TOGETHER_MS = 6 * HOUR_MS

/** The readings of one car park that cannot be trusted. They are few, so the others are not read. */
async function untrustedReadings(
  { history, model }: ParkingService,
  { code, from, to }: Period & { readonly code: string },
): Promise<ReadingSummary[]> {
  const { untrusted, pastQuality } = model()
  const spans: { from: number; to: number }[] = []
  for (const span of untrusted(code, from, to)) {
    const last = spans.at(-1)
    if (last !== undefined && span.from - last.to < READ_TOGETHER_MS) last.to = span.to
    else spans.push({ from: Math.max(from, span.from), to: span.to })
  }
  const found: ReadingSummary[] = []
  for (const span of spans) {
    const read = await history.readings({ code, from: span.from, to: Math.min(to, span.to + 1) })
    for (const { at, spaces } of read)
      if (pastQuality(code, at) !== 'good')
        found.push({ code, from: at, min: spaces, max: spaces, sum: spaces, count: 1, last: spaces })
  }
  return found
}
