import type { GetJson } from '../../../../../src/interfaces/web/explorer.ts'

interface List {
  readonly results?: readonly Readonly<Record<string, unknown>>[]
  readonly files?: readonly Readonly<Record<string, unknown>>[]
}

type Source = readonly [url: string, member: string]

/** The lists to ask for a part of a path, one after another, and the member with the value. */
const SOURCES: Readonly<Record<string, (path: string) => readonly Source[]>> = {
  // The feed may count a car park without a release, and there may be no feed.
  idOrCode: () => [
    ['/v1/carparks/live-spaces?include=quality&includeCarparkInfo=true', 'code'],
    ['/v1/carparks?limit=1', 'id'],
    ['/v1/carparks/live-spaces', 'code'],
  ],
  hash: () => [['/v1/vehicles?limit=1', 'hash']],
  id: path => [[path.slice(0, path.indexOf('/{')), 'id']],
  file: () => [['/v1/datasets/toilets/files', 'path']],
}

/** Gives a value of this service for a part of a path, or undefined. */
export async function realValue(get: GetJson, path: string, name: string): Promise<string | undefined> {
  for (const [url, member] of SOURCES[name]?.(path) ?? []) {
    // Without data, the example of the description stays.
    const { results, files } = await get<List>(url).catch((): List => ({}))
    const found = (results ?? files)?.filter(({ carparkInfo }) => carparkInfo !== null)
    // A stuck counter has no forecast.
    const value = (found?.find(({ quality }) => quality === 'good') ?? found?.[0])?.[member]
    // The name of a file is the end of its path.
    if (value !== undefined && value !== null) return String(value).split('/').at(-1)
  }
  return undefined
}
