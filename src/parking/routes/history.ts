import { writeRecords } from '../../formats/format.ts'
import { formatsFor } from '../../formats/formats.ts'
import type { Content } from '../../http/response/representation.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import type { EndpointRequest } from '../../http/routing/declaration.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { HistoricReading, ReadingSummary } from '../../store/store.ts'
import { moment } from '../../values/dates.ts'
import { HOUR_MS } from '../../values/time-units.ts'
import { oneOf } from '../../values/values.ts'
import { bucketBounds, fillBuckets, type Interval, meanOf } from '../history/buckets.ts'
import {
  allHistory,
  type Bucket,
  carparkHistory,
  HistoryBucket,
  HistoryReading,
} from '../history/history-schema.ts'
import type { FeedCarPark } from '../model.ts'
import type { ParkingService } from '../service.ts'
import { DETAILS, LONGEST_DAYS, type Period, periodOf } from './history-period.ts'
import {
  feedCarPark,
  feedCarParks,
  idOrCode,
  minuteVersion,
  modelRepresentation,
  type ParkingContext,
  requireHistory,
  TAG,
} from './parking-context.ts'

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
    path: '/v1/carparks/:idOrCode/history',
    operationId: 'getCarparkHistory',
    summary: 'Past free spaces, one car park',
    description: `Past counts of one car park from the live feed, as it gave them, with how far they can be trusted. An interval without a reading has count 0. One response covers at most ${longest('one')}.`,
    params: idOrCode,
    ignoresCase: true,
    response: carparkHistory.either,
    problems: [404, 414, 503],
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
    const now = parking.now()
    const of = scope.one === undefined ? 'all' : 'one'
    const { timeZone } = parking.clock
    const period = periodOf(query, { now, timeZone, of, carparks: scope.codes.length })
    const isRaw = interval === 'raw'
    const results = isRaw
      ? await readings(parking, period, scope)
      : await buckets(parking, { ...period, to: Math.min(period.to, now) }, interval, scope)
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
  const { history, clock } = parking
  const { pastQuality } = parking.model()
  const bounds = bucketBounds(interval, from, to, clock)
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
  for (const span of spans)
    for (const { at, spaces } of await history.readings({
      code,
      from: span.from,
      to: Math.min(to, span.to + 1),
    }))
      if (pastQuality(code, at) !== 'good')
        found.push({ code, from: at, min: spaces, max: spaces, sum: spaces, count: 1, last: spaces })
  return found
}
