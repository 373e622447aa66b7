import type { components } from '../../../../client/src/schema.ts'
import type { LoadRequest } from '../../page.ts'
import { type Failure, isFailure, resultOf } from '../../parts/failed-request.tsx'

/** The keys of the counts, in the order of the form. */
export const KEYS = ['fuelType', 'make', 'color', 'year'] as const
export type Key = (typeof KEYS)[number]

/** The most common values over time. */
export type OverTime = Exclude<Awaited<ReturnType<typeof loadOverTime>>, Failure>
/** The vehicles of one value, month by month, oldest first. The value is null for vehicles without one. */
export type Series = OverTime['series'][number]

/** The values that fit on a page. */
const MOST = 8

/** The address of the numbers on the page. */
export const numbersOf = (by: string): string =>
  `/v1/vehicles/stats/history?${new URLSearchParams({ by, top: String(MOST) })}`

/** Gets the counts of each month by the key that the address names. */
export async function loadOverTime({ query, get }: LoadRequest) {
  const by = query.get('by') || KEYS[0]
  const found = await resultOf(get<{ results: readonly components['schemas']['PastCount'][] }>(numbersOf(by)))
  if (isFailure(found)) return found
  const values = [...new Set(found.results.map(({ value }) => value))]
  return {
    by: by as Key,
    // When the release of each month became current, oldest first.
    times: [...new Set(found.results.map(({ at }) => at))],
    series: values.map(value => ({
      value,
      counts: found.results.filter(row => row.value === value).map(({ count }) => count),
    })),
  }
}
