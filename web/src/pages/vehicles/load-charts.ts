import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { askedFor, changed, filtersOf, type Question, queryOf } from './question.ts'
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
  /** What the bars leave out. */
  readonly rest: { readonly groups: number; readonly count: number }
}

export type ChartField = 'make' | 'model' | 'color' | 'fuelType' | 'year'

export type VehicleCharts = readonly Chart[]

interface Stats {
  readonly results: readonly (Readonly<Record<string, string | number | null>> & { readonly count: number })[]
  readonly rest: { readonly groups: number; readonly count: number }
}

/** Enough to see what is common; the rest is summed up. */
const MOST_BARS = 8

/**
 * Counts what matches by make, or by model once a make is chosen, by colour, fuel and year. Each but the years disregards its
 * own filter, so that another of its bars can be chosen.
 */
export function loadCharts(get: GetJson, asked: Question): Promise<VehicleCharts> {
  const narrowing = new Set([...filtersOf(asked).map(([name]) => name), 'match', 'dateType'])
  const filters = asked.filter(([name]) => narrowing.has(name))
  const count = (by: ChartField, without: string, top: string) =>
    get<Stats>(
      `/v1/vehicles/stats${joined(queryOf(changed(filters, { [without]: null })), `by=${by}${top}`)}`,
    )
  const common = async (field: 'make' | 'model' | 'color' | 'fuelType'): Promise<Chart> => {
    const { results, rest } = await count(field, field, `&top=${MOST_BARS}`)
    const bars = results.map(({ [field]: value, count }) => {
      const label = String(value ?? '')
      return label === '' ? { label, count } : { label, count, changes: { [field]: label } }
    })
    return { field, bars, rest }
  }
  const byYear = async (): Promise<Chart> => {
    const { results } = await count('year', '', '')
    const years = results.map(({ year, count }) => ({ year: year as number | null, count }))
    return { field: 'year', bars: yearBars(years), rest: { groups: 0, count: 0 } }
  }
  const first = askedFor(asked, 'make') === '' ? 'make' : 'model'
  return Promise.all([common(first), common('color'), common('fuelType'), byYear()])
}

const joined = (query: string, more: string): string => (query === '' ? `?${more}` : `${query}&${more}`)
