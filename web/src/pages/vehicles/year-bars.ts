import { vehicles } from '../../texts/en/vehicles.ts'
import { text } from '../../texts/text.ts'
import type { Bar } from './load-charts.ts'

interface YearCount {
  /** Null for vehicles without the date. */
  readonly year: number | null
  readonly count: number
}

/** More years than these are joined to decades. */
const MOST_YEARS = 12

/** The years, or decades of many years, newest first. Vehicles without a date come last. */
export function yearBars(counts: readonly YearCount[]): Bar[] {
  const years = counts.flatMap(({ year, count }) => (year === null ? [] : [{ year, count }]))
  const newestFirst = years.sort((one, other) => other.year - one.year)
  const undated = counts.find(({ year }) => year === null)?.count ?? 0
  return [
    ...(years.length > MOST_YEARS
      ? decadesOf(newestFirst)
      : newestFirst.map(({ year, count }) => periodBar(year, year, count))),
    ...(undated === 0 ? [] : [{ label: vehicles.noDate, count: undated }]),
  ]
}

function decadesOf(years: readonly { year: number; count: number }[]): Bar[] {
  const byDecade = new Map<number, number>()
  for (const { year, count } of years) {
    const decade = Math.floor(year / 10) * 10
    byDecade.set(decade, (byDecade.get(decade) ?? 0) + count)
  }
  return [...byDecade].map(([from, count]) => periodBar(from, from + 9, count))
}

function periodBar(from: number, until: number, count: number): Bar {
  return {
    label: from === until ? String(from) : text(vehicles.years, { from, until }),
    count,
    changes: { startDate: `${fourDigits(from)}-01-01`, endDate: `${fourDigits(until)}-12-31` },
  }
}

/** The API takes dates with four digits of the year. */
const fourDigits = (year: number) => String(year).padStart(4, '0')
