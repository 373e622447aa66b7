import { CARPARKS, OBSERVATION } from '../support/island.ts'
import { COUNTED, NOW, READINGS } from './live-past.ts'
import type { ModelQuery } from './query-model.ts'

/*
 * What is to be said of the few live counts of the fuzz, written down case by case: one that is listed and moves, one
 * that is closed, one that was listed lately, and one that was listed long ago.
 */

const { entries, timestamp } = OBSERVATION
const WEEK = 7 * 86_400_000

/** The car park by itself with that id or code, as it is served. */
export function carparkNamed(name: string): object | undefined {
  const found = recordNamed(name)
  if (found === undefined) return undefined
  const { paymentMethods: _, ...carpark } = found
  return carpark
}

const recordNamed = (name: string) =>
  CARPARKS.find(({ id, liveTrackingCode }) =>
    [id, liveTrackingCode?.toLowerCase()].includes(name.toLowerCase()),
  )

/** The counted car park that a path names, or undefined where none is. */
export function countedNamed(name: string): (typeof COUNTED)[number] | undefined {
  const record = recordNamed(name)
  const code = record === undefined ? name : record.liveTrackingCode
  return COUNTED.find(counted => counted.code.toUpperCase() === code?.toUpperCase())
}

/** The answer to live free spaces of all car parks, or undefined where the query is wrong. */
export function liveSpaces(query: ModelQuery): string | undefined {
  const info = query.get('includeCarparkInfo') ?? 'false'
  const include = (query.get('include') ?? '').split(',').map(part => part.trim())
  if (!['true', 'false'].includes(info) || !include.every(part => ['', 'quality', 'forecast'].includes(part)))
    return undefined
  const judged = include.includes('quality')
  const results = entries.map(entry => ({
    ...entry,
    ...(judged ? { ...qualityOf(entry.code), trend: trendOf(entry.code) } : {}),
    // This past supports none.
    ...(include.includes('forecast') ? { forecast: [] } : {}),
    ...(info === 'true' ? { carparkInfo: carparkNamed(entry.code) ?? null } : {}),
  }))
  const missing = judged ? { missing: missingLately() } : {}
  return JSON.stringify({ results, timestamp, ...missing })
}

/** The answer to the live count of one car park. */
export function liveCount({ code, name }: (typeof COUNTED)[number]): string {
  const listed = entries.find(entry => entry.code === code)
  const { spaces, status, open } = listed ?? { spaces: null, status: null, open: null }
  return JSON.stringify({ code, name, spaces, status, open, ...qualityOf(code), trend: trendOf(code) })
}

/** The answer to the forecast: this past supports none. */
export function forecast({ code, name }: (typeof COUNTED)[number]): string {
  const { quality, detail } = qualityOf(code)
  const why =
    quality === 'good'
      ? {
          reason: 'TOO_LITTLE_PAST',
          detail: 'The last twelve weeks hold too few days with counts at this time of day.',
        }
      : { reason: 'COUNT_NOT_TRUSTED', detail }
  return JSON.stringify({ code, name, from: null, results: [], ...why })
}

/** The answer to the typical week: this past supports none. */
export function typicalWeek({ code, name }: (typeof COUNTED)[number]): string {
  return JSON.stringify({
    ...{ code, name, from: null, to: null, results: [], reason: 'TOO_LITTLE_PAST' },
    detail: 'A typical week needs counts of at least 3 days of a kind within 12 weeks.',
  })
}

const missingLately = () =>
  COUNTED.filter(({ code }) => !entries.some(entry => entry.code === code))
    .filter(({ code }) => lastOf(code) !== undefined)
    .map(({ code, name }) => ({ code, name, ...qualityOf(code) }))

/** The time of its last reading; undefined where that is so long ago that it is forgotten. */
function lastOf(code: string): number | undefined {
  const last = READINGS.filter(reading => reading.code === code).at(-1)?.at
  return last !== undefined && Date.parse(timestamp) - last <= WEEK ? last : undefined
}

function qualityOf(code: string) {
  const entry = entries.find(other => other.code === code)
  const last = lastOf(code)
  const at = last === undefined ? null : new Date(last).toISOString()
  const rest = {
    observedAt: at,
    // Every reading of theirs has another count than the one before.
    changedAt: at,
    ageSeconds: last === undefined ? null : Math.floor((NOW - last) / 1000),
  }
  const told = (quality: string, reason: string | null, detail: string | null) => ({
    ...{ quality, reason, detail, ...rest },
  })
  if (entry?.open === true) return told('good', null, null)
  if (entry?.open === false)
    return told('closed', 'feed-says-closed', 'The feed says that this car park is closed.')
  if (last === undefined) return told('missing', 'never-listed', 'The feed has not listed this car park.')
  return told('missing', 'no-longer-listed', 'The feed no longer lists this car park.')
}

/** The only good count, 332 of 606 spaces, was 326 half an hour ago: no more than 1 %. */
const trendOf = (code: string) => (code === 'HARBST' ? 'steady' : null)
