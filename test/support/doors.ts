import type { TestContext } from 'node:test'
import { ISLAND } from './island.ts'
import { build } from './service.ts'
import type { Serving } from './serving.ts'

/** An address of the service, asked as dearly as its parameters allow. */
export interface Door {
  readonly method: 'GET' | 'POST'
  /** The pattern of its path. */
  readonly route: string
  readonly address: string
}

interface ValueSchema {
  readonly items?: { readonly enum?: string[] }
  readonly enum?: string[]
  readonly maximum?: number
}

/** Values that make a request dear, by the names of parameters: from all their words, and their schema. */
const DEAR: Readonly<Record<string, (words: readonly string[], schema: ValueSchema) => string>> = {
  limit: () => '1000000',
  top: (_, { maximum }) => String(maximum),
  by: (words, { items }) => words.slice(0, items === undefined ? 1 : 3).join(','),
  measures: words => words.join(','),
  interval: words => (words.includes('15m') ? '15m' : String(words.at(-1))),
  include: words => words.join(','),
}

/** Every address in the service's own table of routes, its variable parts filled with what a running service has. */
export async function doorsOf(t: TestContext, service: Pick<Serving, 'get'>): Promise<readonly Door[]> {
  const { app } = await build(t, ISLAND)
  const filled = await fillerOf(service)
  // Of a path without a suffix; those with one take the same parameters.
  const queries = new Map(app.routes.map(({ path, operation }) => [path, queryOf(operation?.parameters)]))
  return app.routes.flatMap(({ path, accepts }) => {
    // The pages of another language are made by the same code.
    const isAlike = path.endsWith('.:format') || path.startsWith('/assets/') || /^\/[a-z]{2}(\/|$)/.test(path)
    if (isAlike) return []
    const own = queries.get(path)
    // Only JSON has the provenance of records.
    const query = own || (queries.get(path.replace(/\.\w+$/, '')) ?? '').replace('&include=provenance', '')
    return [{ method: accepts === undefined ? 'GET' : 'POST', route: path, address: filled(path) + query }]
  })
}

function queryOf(parameters: Readonly<Record<string, { type: { schema: object } }>> = {}): string {
  const dear = Object.entries(parameters).flatMap(([name, { type }]) => {
    const schema = type.schema as ValueSchema
    const words = schema.items?.enum ?? schema.enum ?? []
    return DEAR[name] === undefined ? [] : [`${name}=${DEAR[name](words, schema)}`]
  })
  return dear.length === 0 ? '' : `?${dear.join('&')}`
}

/** Fills variable parts of paths: ids by the dataset that the path names, words of the documentation by what it has. */
async function fillerOf({ get }: Pick<Serving, 'get'>): Promise<(path: string) => string> {
  const read = async (path: string) => JSON.parse((await get(path)).text)
  const first = async (dataset: string, field = 'id') =>
    (await read(`/v1/${dataset}?limit=1`)).results[0][field]
  const [spaces] = (await read('/v1/carparks/live-spaces')).results
  const [file] = (await read('/v1/datasets/vehicles/files')).files
  const ids = new Map<string, string>()
  for (const dataset of ['carparks', 'toilets', 'recycling', 'defibrillators', 'product-recalls'])
    ids.set(dataset, String(await first(dataset)))
  const words: Record<string, string> = {
    ...{ idOrCode: spaces.code, code: spaces.code, hash: await first('vehicles', 'hash') },
    ...{ name: 'vehicles', file: String(file.path).split('/').at(-1) ?? '', dataset: 'toilets' },
    ...{ section: 'reference', page: 'endpoints', kind: 'overloaded', operation: 'listVehicles' },
  }
  return path => {
    const named = [...ids.keys()].find(dataset => path.includes(`/${dataset}/`))
    const id = ids.get(path.startsWith('/recalls') ? 'product-recalls' : (named ?? 'toilets')) ?? ''
    return path.replace(/:(\w+)/g, (_, name: string) => words[name] ?? id)
  }
}
