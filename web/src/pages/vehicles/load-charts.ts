import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { askedFor, changed, filtersOf, type Question, queryOf, TEXTS } from './question.ts'
import { yearBars } from './year-bars.ts'

/** One bar of a chart. */
export interface Bar {
  readonly label: string
  readonly count: number
  /** What narrows the question to it; undefined for what cannot be asked for. */
  readonly changes?: Readonly<Record<string, string>>
}

/** The counts of one field. */
export interface Chart {
  readonly field: ChartField
  readonly bars: readonly Bar[]
  /** Whether the field is filtered by a part of its values: none of them is chosen then. */
  readonly isPart: boolean
  /** What the bars leave out. */
  readonly rest: { readonly groups: number; readonly count: number }
}

export type ChartField = 'make' | 'model' | 'color' | 'fuelType' | 'year'

export type VehicleCharts = readonly Chart[]

interface Stats {
  readonly results: readonly (Readonly<Record<string, string | number | null>> & { readonly count: number })[]
  readonly rest: { readonly groups: number; readonly count: number }
}

/** Enough to see what is common; the rest is summed up. There are few fuels. */
const MOST_BARS = 8
const MOST_FUELS = 15

type Text = (typeof TEXTS)[number]

/** All values of some texts. */
export type KnownValues = Readonly<Partial<Record<Text, readonly string[]>>>

/**
 * Counts what matches by make, or by model once a whole make is chosen, by colour, fuel and year. A field that is filtered by a
 * whole value disregards its filter, so that another of its bars can be chosen; years are gone through from decades.
 */
export function loadCharts(get: GetJson, asked: Question, known: KnownValues): Promise<VehicleCharts> {
  const narrowing = new Set([...filtersOf(asked).map(([name]) => name), 'match', 'dateType'])
  const filters = asked.filter(([name]) => narrowing.has(name))
  const count = (by: ChartField, of: Question, top: string) =>
    get<Stats>(`/v1/vehicles/stats${joined(queryOf(of), `by=${by}${top}`)}`)
  const common = async (field: Text | 'fuelType'): Promise<Chart> => {
    const isPart = field !== 'fuelType' && !isWhole(asked, field, known)
    const others = isPart ? filters : changed(filters, { [field]: null })
    const { results, rest } = await count(
      field,
      others,
      `&top=${field === 'fuelType' ? MOST_FUELS : MOST_BARS}`,
    )
    const exactly = field === 'fuelType' ? {} : exactlyIf(asked, field, known)
    const bars = results.map(({ [field]: value, count }) => {
      const label = String(value ?? '')
      return label === '' ? { label, count } : { label, count, changes: { [field]: label, ...exactly } }
    })
    return { field, bars, isPart, rest }
  }
  const byYear = async (): Promise<Chart> => {
    const { results } = await count('year', filters, '')
    const years = results.map(({ year, count }) => ({ year: year as number | null, count }))
    return { field: 'year', bars: yearBars(years), isPart: false, rest: { groups: 0, count: 0 } }
  }
  const first = askedFor(asked, 'make') !== '' && isWhole(asked, 'make', known) ? 'model' : 'make'
  return Promise.all([common(first), common('color'), common('fuelType'), byYear()])
}

/**
 * Whether a text is asked for as a whole, or not at all. A value that is part of no other is whole by itself; the known models
 * are not all, so none of them is.
 */
function isWhole(asked: Question, text: Text, known: KnownValues): boolean {
  const value = askedFor(asked, text).toLowerCase()
  if (value === '' || askedFor(asked, 'match') === 'exact') return true
  const matching = (known[text] ?? []).map(each => each.toLowerCase()).filter(each => each.includes(value))
  return matching.length === 1 && matching[0] === value
}

/** A bar counts whole values, so it asks for one, unless that would leave another text without what it matches in part. */
const exactlyIf = (asked: Question, field: Text, known: KnownValues): Record<string, string> =>
  TEXTS.every(text => text === field || isWhole(asked, text, known)) ? { match: 'exact' } : {}

const joined = (query: string, more: string): string => (query === '' ? `?${more}` : `${query}&${more}`)
