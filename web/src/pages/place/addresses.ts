import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { type Place, placePath } from '../../places/kinds.ts'

/** The addresses of all published places. */
export async function placeAddresses(get: GetJson): Promise<readonly string[]> {
  const { results } = await get<{ results: Place[] }>('/v1/places')
  return results.map(placePath)
}
