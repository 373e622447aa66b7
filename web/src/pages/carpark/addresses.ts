import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { loadCarParks } from '../../parking/load-counts.ts'

/** The path of a car park's page. */
export const carParkPath = (code: string): string => `/parking/${encodeURIComponent(code)}`

/** The addresses of all car parks with a counter. The others are places. */
export async function carParkAddresses(get: GetJson): Promise<readonly string[]> {
  const carParks = (await loadCarParks(get)) ?? []
  return carParks.flatMap(({ liveTrackingCode }) =>
    liveTrackingCode === null ? [] : [carParkPath(liveTrackingCode)],
  )
}
