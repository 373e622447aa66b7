import type { Bar } from './load-charts.ts'

interface YearCount {
  /** Null for vehicles without the date. */
  readonly year: number | null
  readonly count: number
}

/** More years than these are shown by the decade. */
const MOST_YEARS = 12

/** The years one by one, or many of them by the decade, newest first; vehicles without a date last. */
export function yearBars(counts: readonly YearCount[]): Bar[] {
  const years = counts.flatMap(({ year, count }) => (year === null ? [] : [{ year, count }]))
  const newestFirst = years.sort((one, other) => other.year - one.year)
  const undated = counts.find(({ year }) => year === null)?.count ?? 0
  return [
    ...(years.length > MOST_YEARS
      ? decadesOf(newestFirst)
      : newestFirst.map(({ year, count }) => periodBar(year, year, count))),
    ...(undated === 0 ? [] : [{ label: 'no date', count: undated }]),
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
    label: from === until ? String(from) : `${from} to ${until}`,
    count,
    changes: { startDate: `${fourDigits(from)}-01-01`, endDate: `${fourDigits(until)}-12-31` },
  }
}

/** The API takes dates with four digits of the year. */
const fourDigits = (year: number) => String(year).padStart(4, '0')
