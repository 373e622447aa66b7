import type { components } from '../../../../client/src/schema.ts'
import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { isFailure, resultOf } from '../../parts/failed-request.tsx'
import type { Origin } from '../../parts/origin.tsx'
import { language } from '../../texts/en/language.ts'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { text } from '../../texts/text.ts'
import { dateOf } from '../../words/island-time.ts'
import {
  askedFor,
  changed,
  countedOf,
  linkToCounts,
  type Question,
  queryOf,
  readQuestion,
  yearOf,
} from './question.ts'
import { questionInWords } from './words.ts'

/** Vehicles counted by year, or by month if each question is limited to one calendar year. */
export interface YearChart {
  readonly title: string
  readonly by: 'year' | 'month'
  /** Oldest first. Without gaps, so that the distance of two columns is time. */
  readonly columns: readonly Column[]
  /** The question of the page, and the question that it is compared with. */
  readonly series: readonly Series[]
  /** The question of the address, without a comparison that the service does not understand. */
  readonly asked: Question
  /** The question that the page is compared with. It is no series while both are the same. */
  readonly compared?: Question
  /** True if the address compares with a question that the service does not understand. */
  readonly isComparisonIgnored: boolean
  /** The publisher of the numbers, their date and their licence. */
  readonly source: string
}

/** A year or a month of the chart. */
export interface Column {
  /** The year, or the number of the month in its year. */
  readonly at: number
  readonly name: string
  /** The name for a narrow place. */
  readonly short: string
  /** The page narrowed to the column, or no longer narrowed to it; undefined if its question has no vehicles there. */
  readonly href: string | undefined
  readonly isChosen: boolean
}

/** The counts of one question. */
export interface Series {
  readonly question: Question
  /** The question in words. */
  readonly words: string
  readonly total: number
  /** The vehicles without the date. They are in no column. */
  readonly undated: number
  /** One count for each column. */
  readonly counts: readonly number[]
}

interface Stats {
  readonly total: number
  readonly results: readonly {
    readonly count: number
    readonly year?: number | null
    readonly month?: string | null
  }[]
}

/** Months by name: `January`, `Jan`. */
const MONTHS = (['long', 'short'] as const).map(
  month => new Intl.DateTimeFormat(language.locale, { month, timeZone: 'UTC' }),
)

/** As many columns as a phone shows apart. Older years are joined into the first column. */
const MOST_YEARS = 40

/** Loads the chart of a page's query. Rejects with an {@link ApiError} if the API refuses the question of the page. */
export async function loadYearChart(get: GetJson, query: URLSearchParams): Promise<YearChart> {
  const { asked } = readQuestion(query)
  const source = sourceOf(await get<components['schemas']['DatasetDescription']>('/v1/datasets/vehicles'))
  const written = askedFor(asked, 'with')
  const understood = asked.filter(([name]) => name !== 'with')
  if (written !== '') {
    const { asked: other, ignored } = readQuestion(new URLSearchParams(written))
    const chart = ignored.length > 0 ? undefined : await resultOf(count(get, asked, other))
    if (chart !== undefined && !isFailure(chart))
      return { ...chart, asked, source, compared: other, isComparisonIgnored: false }
  }
  const chart = await count(get, understood)
  return { ...chart, asked: understood, source, isComparisonIgnored: written !== '' }
}

/** Counts a question beside another one, unless they are the same. */
async function count(get: GetJson, asked: Question, other: Question = asked) {
  const [mine, compared] = [countedOf(asked), countedOf(other)]
  const questions = queryOf(mine) === queryOf(compared) ? [mine] : [mine, compared]
  const years = questions.map(yearOf)
  const by = years.includes(undefined) ? 'year' : 'month'
  const found = await Promise.all(questions.map(question => get<Stats>(statsOf(question, by))))
  // A number in the order of the columns; null without a date.
  const counted = found.map(({ results }) =>
    results.map(({ year, month, count }) => ({ at: month ? Number(month.slice(5)) : (year ?? null), count })),
  )
  const all = counted.flat().flatMap(({ at }) => (at === null ? [] : [at]))
  const [oldest, last] = by === 'month' ? [1, 12] : [Math.min(...all), Math.max(...all)]
  const first = Math.max(oldest, last - MOST_YEARS + 1)
  const places = all.length === 0 ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const dateTypes = new Set(questions.map(question => askedFor(question, 'dateType') === 'regInJersey'))
  const series = questions.map((question, index): Series => {
    const sum = (matches: (at: number | null) => boolean) =>
      (counted[index] ?? []).reduce((total, { at, count }) => total + (matches(at) ? count : 0), 0)
    return {
      ...{ question, words: questionInWords(question, dateTypes.size > 1), total: found[index]?.total ?? 0 },
      undated: sum(at => at === null),
      counts: places.map(place => sum(at => at !== null && Math.max(at, first) === place)),
    }
  })
  const columns = places.map((at, index): Column => {
    const link = (period: Period) =>
      series[0]?.counts[index] === 0 ? { href: undefined, isChosen: false } : narrowed(asked, period)
    if (by === 'month') {
      const [name = '', short = ''] = MONTHS.map(format => format.format(Date.UTC(2000, at - 1)))
      return { at, name, short, ...link(monthOf(years[0] ?? '', at)) }
    }
    const isJoined = at > oldest && index === 0
    const name = isJoined ? text(texts.before, { year: String(at + 1) }) : String(at)
    const startDate = isJoined ? '' : `${fourDigits(at)}-01-01`
    return { at, name, short: name, ...link({ startDate, endDate: `${fourDigits(at)}-12-31` }) }
  })
  const date = dateTypes.size > 1 ? 'mixed' : dateTypes.has(true) ? 'here' : 'first'
  return { title: text(texts.chartTitle, { by, date }), by, columns, series } as const
}

/** The address that counts a question by years or months. */
export const statsOf = (question: Question, by: YearChart['by']): string =>
  `/v1/vehicles/stats${queryOf([...question, ['by', by]])}`

function sourceOf({ publisher, updatedAt, licence, attribution }: Origin & { updatedAt: string | null }) {
  const date = updatedAt === null ? [] : [dateOf(updatedAt)]
  const source = text(texts.source, { source: [publisher ?? texts.register, ...date].join(', ') })
  const parts = [source, licence === null ? null : text(texts.licence, { licence }), attribution]
  return parts.filter(part => part !== null).join(' ')
}

interface Period {
  /** Blank if there is no first day. */
  readonly startDate: string
  readonly endDate: string
}

/** Narrows a question to a period, within the dates that it has. A question with just these dates gets its whole year back. */
function narrowed(asked: Question, { startDate, endDate }: Period): Pick<Column, 'href' | 'isChosen'> {
  const [from, until] = [askedFor(asked, 'startDate'), askedFor(asked, 'endDate')]
  const start = from > startDate ? from : startDate
  const end = until !== '' && until < endDate ? until : endDate
  const year = yearOf(asked)
  const isChosen = start === from && end === until && year !== undefined
  const changes = isChosen
    ? { startDate: `${year}-01-01`, endDate: `${year}-12-31` }
    : { startDate: start || null, endDate: end }
  return { href: linkToCounts(changed(asked, changes)), isChosen }
}

function monthOf(year: string, month: number): Period {
  const start = `${year}-${String(month).padStart(2, '0')}`
  const days = new Date(Date.UTC(Number(year), month, 0)).getUTCDate()
  return { startDate: `${start}-01`, endDate: `${start}-${days}` }
}

/** The API takes dates with four digits of the year. */
const fourDigits = (year: number) => String(year).padStart(4, '0')
