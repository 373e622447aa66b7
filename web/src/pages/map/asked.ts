import { to } from '../../address.ts'

/** The filters in the address of a map. */
export interface Asked {
  readonly dataset: readonly string[]
  readonly parish: string
  readonly facility: readonly string[]
  readonly service: readonly string[]
  /** "latitude,longitude", or empty. */
  readonly near: string
  /** A place to open, "dataset/id", or empty. */
  readonly place: string
}

/** Reads the filters. A list comes as one value with commas or, from a form, as several values. */
export function readAsked(query: URLSearchParams): Asked {
  const list = (name: string) =>
    query
      .getAll(name)
      .flatMap(value => value.split(','))
      .map(value => value.trim())
      .filter(Boolean)
  const text = (name: string) => query.get(name)?.trim() ?? ''
  return {
    ...{ dataset: list('dataset'), facility: list('facility'), service: list('service') },
    ...{ parish: text('parish'), near: text('near'), place: text('place') },
  }
}

/** The path of the places in the API, without some of the parameters. */
export function apiPath(asked: Asked, without: readonly string[] = []): string {
  const query = new URLSearchParams({ include: 'live' })
  for (const [name, value] of pairs(asked))
    if (name !== 'place' && !without.includes(name)) query.set(name, value)
  return `/v1/places?${query}`
}

/** The address of a map with the same filters, except for the changes. */
export function mapAddress(asked: Asked, change: Partial<Asked> = {}): string {
  const query = new URLSearchParams(pairs({ ...asked, ...change })).toString()
  // These characters need no escape in a query (RFC 3986 3.4), and addresses are read by people.
  return to(query === '' ? '/map' : `/map?${query.replaceAll('%2C', ',').replaceAll('%2F', '/')}`)
}

/** Whether anything selects among the places. */
export const isFiltered = ({ dataset, parish, facility, service }: Asked): boolean =>
  dataset.length + facility.length + service.length > 0 || parish !== ''

const pairs = (asked: Asked): [string, string][] =>
  Object.entries(asked)
    .map(([name, value]): [string, string] => [name, String(value)])
    .filter(([, value]) => value !== '')
