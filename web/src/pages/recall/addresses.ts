import type { components } from '../../../../client/src/schema.ts'
import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import type { Recall } from '../recalls/load.ts'

interface RecallList {
  readonly pagination: components['schemas']['Pagination']
  readonly results: readonly Pick<Recall, 'id'>[]
}

/** The addresses of all published recalls. */
export async function recallAddresses(get: GetJson): Promise<readonly string[]> {
  const addresses: string[] = []
  // The request has no limit, because an operator may allow fewer than any number here.
  for (let cursor: string | null | undefined = '*'; cursor; ) {
    const url: string = `/v1/product-recalls?fields=id&cursor=${encodeURIComponent(cursor)}`
    const { results, pagination } = await get<RecallList>(url)
    addresses.push(...results.map(({ id }) => `/recalls/${id}`))
    cursor = pagination.nextCursor
  }
  return addresses
}
