import { isoDate } from '../../../releases/import/coerce/values.ts'
import { Refusal } from '../../../sources/source-row.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../values/time-units.ts'
import { MalformedEntryError } from '../../feed/mapping/entry.ts'
import { instantsOf, localClock, readTime, type WrittenTime } from '../../local-clock.ts'

/** Options for reading the times of a file. */
export interface FileTimeOptions {
  /** The zone of times that are written without an offset. */
  readonly timeZone: string
  /** The year of the file's first time, if the times are written without a year. */
  readonly year?: number | undefined
  /** Later times are rejected. */
  readonly now?: Date
}

/** A time of a file. */
export interface FileTime {
  /** Milliseconds since 1970 UTC. For a time that clocks show twice, the earlier instant; for a skipped time, an hour later. */
  readonly at: number
  /** How often the clocks show the time: never in the hour that they skip, twice in the hour that they repeat. */
  readonly shown: number
}

const WITHOUT_YEAR = /^\d\d-\d\d[T ]\d\d:\d\d[\d:.]*$/i

const FORMS =
  'YYYY-MM-DD HH:MM:SS or DD/MM/YYYY HH:MM:SS, with or without an offset such as Z, or MM-DD HH:MM:SS with --year'

const HALF_YEAR_MS = 183 * DAY_MS
/** How far the feed's clock may be ahead of this one (design 7). */
const SKEW_MS = MINUTE_MS

/** Creates a function that reads the times of a file, in the file's order. The function throws `MalformedEntryError`. */
export function fileTimeReader({ timeZone, year: firstYear, now = new Date() }: FileTimeOptions) {
  const clock = localClock(timeZone)
  let last: number | undefined

  /** A time without a year gets the year that brings it nearest to the time before. */
  function nearest(text: string): WrittenTime | undefined {
    if (firstYear === undefined)
      throw new Refusal('the times in the file have no year; give that of the first, as --year 2024')
    const before = last
    const year = before === undefined ? firstYear : new Date(before).getUTCFullYear()
    const near = [year, year - 1, year + 1].map(each => readTime(`${each}-${text}`, clock))
    const found =
      before === undefined
        ? near[0]
        : near.find(time => time && Math.abs(time.wallTime - before) <= HALF_YEAR_MS)
    last = found?.wallTime ?? last
    return found
  }

  return (text: string): FileTime => {
    const time = WITHOUT_YEAR.test(text) ? nearest(text) : readTime(isoDate(text), clock)
    const instants = time?.instants ?? []
    const isSkipped = time !== undefined && instants.length === 0
    // Nothing was counted before 1970.
    const [at = -1] = isSkipped ? instantsOf(time.wallTime + HOUR_MS, clock) : instants
    if (at < 0) throw new MalformedEntryError(`is not a time; allowed: ${FORMS}`)
    if (at > now.getTime() + SKEW_MS) throw new MalformedEntryError('lies in the future')
    return { at, shown: instants.length }
  }
}
