import type { GetJson } from '../../../../../src/interfaces/web/explorer.ts'

interface List {
  readonly results?: readonly Readonly<Record<string, unknown>>[]
  readonly files?: readonly Readonly<Record<string, unknown>>[]
}

/** Where a value of a part of a path is found: the list to ask, and its member. */
const SOURCES: Readonly<Record<string, (path: string) => readonly [url: string, member: string]>> = {
  idOrCode: () => ['/v1/carparks/live-spaces?include=quality', 'code'],
  hash: () => ['/v1/vehicles?limit=1', 'hash'],
  id: path => [path.slice(0, path.indexOf('/{')), 'id'],
  file: () => ['/v1/datasets/toilets/files', 'path'],
}

/** Gives a value that exists in this service for a part of a path; undefined where none is known. */
export async function realValue(get: GetJson, path: string, name: string): Promise<string | undefined> {
  const source = SOURCES[name]
  if (source === undefined) return undefined
  const [url, member] = source(path)
  // Without data the example of the description stands.
  const { results, files } = await get<List>(url).catch((): List => ({}))
  const found = results ?? files
  // A counter that is stuck has no forecast to show.
  const value = (found?.find(({ quality }) => quality === 'good') ?? found?.[0])?.[member]
  // The name of a file is the end of its path.
  return value === undefined || value === null ? undefined : String(value).split('/').at(-1)
}
