import type { components } from '../../../../client/src/schema.ts'
import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { type Origin, originOf } from '../../parts/origin.tsx'
import { meaningOf } from '../../texts/meaning.ts'

/** The facts about the datasets on the start page. */
export interface Catalogue {
  /** The number of records of each published dataset, by name. */
  readonly records: Readonly<Record<string, number>>
  /** The time of the newest release; null before the first. */
  readonly updatedAt: string | null
  readonly origins: readonly OriginOf[]
}

/** Datasets with the same origin. */
interface OriginOf {
  readonly titles: readonly string[]
  readonly origin: Origin
}

type Entry = components['schemas']['CatalogueEntry']

/** Gets the facts from the catalogue. */
export async function loadCatalogue(get: GetJson): Promise<Catalogue> {
  const { results } = await get<{ results: readonly Entry[] }>('/v1/datasets')
  const times = results.map(({ updatedAt }) => updatedAt ?? '')
  const published = results.filter(({ records }) => records !== null)
  return {
    records: Object.fromEntries(published.map(({ name, records }) => [name, records ?? 0])),
    updatedAt: times.sort().at(-1) || null,
    origins: originsOf(results),
  }
}

/** Datasets of one publisher under one licence share a line. */
function originsOf(entries: readonly Entry[]): readonly OriginOf[] {
  const keyOf = (entry: Entry) => JSON.stringify(originOf(entry))
  const keys = new Set(entries.map(keyOf))
  return [...keys].map(key => ({
    titles: entries.filter(entry => keyOf(entry) === key).map(({ title }) => meaningOf(title)),
    origin: JSON.parse(key),
  }))
}
