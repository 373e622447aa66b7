import type { components } from '../../../../client/src/schema.ts'
import type { LoadRequest } from '../../page.ts'
import { type Failure, isFailure, resultOf } from '../../parts/failed-request.tsx'
import { loadYearChart, type YearChart } from './chart-data.ts'
import { loadShares, type Share } from './load-shares.ts'
import { askedFor, type Question, queryOf, readQuestion } from './question.ts'

/** A page of vehicles as the API gives it. */
export interface VehicleList {
  readonly pagination: components['schemas']['Pagination']
  readonly results: readonly components['schemas']['Vehicle'][]
}

/** The suggestions of the form's fields. */
export interface Suggestions {
  readonly makes: readonly string[]
  readonly models: readonly string[]
  readonly colors: readonly string[]
  readonly fuelTypes: readonly string[]
}

export interface VehiclesData {
  readonly asked: Question
  readonly ignored: readonly string[]
  readonly list: VehicleList | Failure
  readonly chart: YearChart | undefined
  readonly shares: readonly Share[] | undefined
  readonly suggestions: Suggestions
  /** Undefined if the catalogue does not answer. */
  readonly about: components['schemas']['DatasetDescription'] | undefined
}

/** As many models as a list of suggestions may have on a phone. */
const MOST_MODELS = 300

/** Asks for the vehicles once, because these requests are limited. Counts are not limited. */
export async function loadVehicles({ query, get }: LoadRequest): Promise<VehiclesData> {
  const { asked: written, ignored: unknown } = readQuestion(query)
  const list = await resultOf(get<VehicleList>(`/v1/vehicles${queryOf(written)}`))
  const isRefused = isFailure(list) && list.failed.status === 400
  const [about, suggestions] = await Promise.all([
    orNothing(get<components['schemas']['DatasetDescription']>('/v1/datasets/vehicles')),
    loadSuggestions(get, askedFor(written, 'make')),
  ])
  const { makes: make, colors: color } = suggestions
  const chart = isRefused ? undefined : await orNothing(loadYearChart(get, query))
  const asked = chart?.asked ?? written
  const shares = isRefused ? undefined : await orNothing(loadShares(get, asked, { make, color }))
  const ignored = chart?.isComparisonIgnored ? [...unknown, 'with'] : unknown
  const fuels = about?.fields.find(({ name }) => name === 'fuelType')?.enumeration?.values ?? []
  return {
    ...{ asked, ignored, list, chart, shares, about },
    suggestions: { ...suggestions, fuelTypes: fuels.map(({ value }) => value) },
  }
}

async function loadSuggestions(get: LoadRequest['get'], make: string) {
  const valuesOf = async (key: 'make' | 'model' | 'color', query: string) => {
    const counted = await orNothing(
      get<{ results: Record<string, string>[] }>(`/v1/vehicles/stats?by=${key}${query}`),
    )
    return (counted?.results ?? []).flatMap(({ [key]: value = '' }) => (value === '' ? [] : [value]))
  }
  const [makes, colors, models] = await Promise.all([
    valuesOf('make', ''),
    valuesOf('color', ''),
    make === '' ? [] : valuesOf('model', `&top=${MOST_MODELS}&make=${encodeURIComponent(make)}`),
  ])
  return { makes, colors, models }
}

/** The result of a request, or undefined: the page is useful without it. */
async function orNothing<Result>(request: Promise<Result>): Promise<Result | undefined> {
  const result = await resultOf(request as Promise<Result & object>)
  return isFailure(result) ? undefined : result
}
