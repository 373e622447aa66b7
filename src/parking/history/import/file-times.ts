import { isoDate } from '../../../releases/import/coerce/values.ts'
import { Refusal } from '../../../sources/source-row.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../values/time-units.ts'
import { MalformedEntryError } from '../../feed/mapping/entry.ts'
import { instantsOf, localClock, utcOf, withOffset } from '../../local-clock.ts'

/** How the times of a file are to be read. */
export interface FileTimeOptions {
  /** The zone of times that are written without an offset. */
  readonly timeZone: string
  /** The year of the file's first time, where times are written without one. */
  readonly year?: number | undefined
  /** Later times are rejected. */
  readonly now?: Date
}

/** A time of a file. */
export interface FileTime {
  /** Milliseconds since 1970 UTC; of two instants the earlier, of a time that is never shown an hour later. */
  readonly at: number
  /** How often the clocks show the time: never in the hour that they skip, twice in the hour that they repeat. */
  readonly shown: number
}

const FORM =
  /^(?:(\d{4})-)?(\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)? ?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/i

const FORMS =
  'YYYY-MM-DD HH:MM:SS or DD/MM/YYYY HH:MM:SS, with or without an offset such as Z, or MM-DD HH:MM:SS with --year'

const HALF_YEAR_MS = 183 * DAY_MS
/** How far the feed's clock may be ahead of this one (design 7). */
const SKEW_MS = MINUTE_MS

/** Creates a function that reads the times of a file, in its order. It throws `MalformedEntryError`. */
export function fileTimeReader({ timeZone, year: firstYear, now = new Date() }: FileTimeOptions) {
  const clock = localClock(timeZone)
  let last: number | undefined

  /** A date without a year is in the year that brings it nearest to the one before. */
  function nearest(date: string): number {
    if (firstYear === undefined)
      throw new Refusal('the times in the file have no year; give that of the first, as --year 2024')
    const before = last
    if (before === undefined) return utcOf(`${firstYear}-${date}`)
    const year = new Date(before).getUTCFullYear()
    const near = [year, year - 1, year + 1].map(each => utcOf(`${each}-${date}`))
    return near.find(time => Math.abs(time - before) <= HALF_YEAR_MS) ?? Number.NaN
  }

  function read(text: string): FileTime | undefined {
    const [, year, date, minute, second = ':00', offset] = FORM.exec(isoDate(text)) ?? []
    if (date === undefined || (year === undefined && offset !== undefined)) return undefined
    const written = `${date}T${minute}${second}`
    const local = year === undefined ? nearest(written) : utcOf(`${year}-${written}`)
    // Nothing was counted before 1970.
    if (!(local >= 0)) return undefined
    if (year === undefined) last = local
    if (offset !== undefined) return { at: withOffset(`${year}-${written}`, offset), shown: 1 }
    const instants = instantsOf(local, clock)
    const [at] = instants.length > 0 ? instants : instantsOf(local + HOUR_MS, clock)
    return at === undefined ? undefined : { at, shown: instants.length }
  }

  return (text: string): FileTime => {
    const time = read(text)
    if (time === undefined) throw new MalformedEntryError(`is not a time; allowed: ${FORMS}`)
    if (time.at > now.getTime() + SKEW_MS) throw new MalformedEntryError('lies in the future')
    return time
  }
}
