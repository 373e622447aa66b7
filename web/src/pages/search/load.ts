import type { components } from '../../../../client/src/schema.ts'
import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import type { LoadRequest } from '../../page.ts'
import { isFailure, resultOf } from '../../parts/failed-request.tsx'
import { KINDS, type ListedPlace } from '../../places/kinds.ts'
import { getPlaces } from '../../places/offers.ts'
import { byParish } from '../../places/parishes.ts'
import { LONGEST_QUESTION } from '../../shell/search-field.tsx'
import { search as texts } from '../../texts/en/search.ts'
import { vehicles } from '../../texts/en/vehicles.ts'
import { meaningOf } from '../../texts/meaning.ts'
import { text } from '../../texts/text.ts'
import { dateOf } from '../../words/island-time.ts'
import { SECTIONS } from '../docs/document.ts'
import type { RecallList } from '../recalls/load.ts'
import { bestFirst } from './rank.ts'

/** A result that is not a place. */
export interface Hit {
  readonly title: string
  /** The path of its page. */
  readonly path: string
  readonly facts: readonly string[]
}

/** The results of one kind. */
export interface Group {
  /** A dataset, `datasets` or `docs`. */
  readonly kind: string
  readonly title: string
  /** The path of the page with all results. */
  readonly all: string
  readonly results: readonly (ListedPlace | Hit)[]
  readonly count: number
}

/** The results of a kind, or the title of a kind that is not available now. */
type Found = Group | string

export type SearchData = Awaited<ReturnType<typeof loadSearch>>

const MOST_RESULTS = 5

/** Asks for every kind of result at once. A question without words asks for nothing. */
export async function loadSearch({ query, get }: LoadRequest) {
  const asked = [...(query.get('q')?.trim() ?? '')]
  const question = asked.slice(0, LONGEST_QUESTION).join('')
  const only = KINDS.find(({ dataset }) => dataset === query.get('kind'))?.dataset
  const others = only === undefined ? [recalls, makes, datasets, documents] : []
  const found: readonly Found[] =
    question === ''
      ? []
      : (await Promise.all([places(get, question, only), ...others.map(find => find(get, question))])).flat()
  return {
    ...{ question, only, isCut: asked.length > LONGEST_QUESTION },
    groups: found.filter(each => typeof each !== 'string').filter(({ count }) => count > 0),
    unavailable: found.filter(each => typeof each === 'string'),
  }
}

/** Finds places by name, parish and kind. The API has no search by name, so the whole list is read, as for the map. */
async function places(get: GetJson, question: string, only?: string): Promise<readonly Found[]> {
  const list = await resultOf(getPlaces(get, '/v1/places?include=live'))
  return KINDS.filter(({ dataset }) => (only ?? dataset) === dataset).map(({ dataset, one, many }) => {
    if (isFailure(list) || list.unavailable.includes(dataset)) return many
    const all = list.results.filter(place => place.dataset === dataset).toSorted(byParish)
    const found = bestFirst(question, all, ({ name, parish }) => [name, `${parish ?? ''} ${one} ${many}`])
    const shown = only === undefined ? MOST_RESULTS : found.length
    return groupOf(dataset, many, asking('/search', { q: question, kind: dataset }), found, shown)
  })
}

/** Finds recalls by the API's own search, newest first as in their list. */
async function recalls(get: GetJson, q: string): Promise<Found> {
  const query = { q, sort: '-recallDate', limit: String(MOST_RESULTS) }
  const list = await resultOf(get<RecallList>(asking('/v1/product-recalls', query)))
  if (isFailure(list)) return texts.recalls
  const hits = list.results.map(({ id, title, brand, recallDate, problem }) => ({
    ...{ title, path: `/recalls/${id}` },
    facts: [brand, dateOf(recallDate), problem].filter(Boolean),
  }))
  const group = groupOf('product-recalls', texts.recalls, asking('/recalls', { q }), hits)
  return { ...group, count: list.pagination.totalItems }
}

/** Finds makes with the question in them by the counts of the register. A common make comes before a rare one that matches as well. */
async function makes(get: GetJson, question: string): Promise<Found> {
  const query = asking('/v1/vehicles/stats', { by: 'make', make: question })
  const counted = await resultOf(get<{ results: readonly { make: string; count: number }[] }>(query))
  if (isFailure(counted)) return texts.makes
  // The API folds more than this page does, such as the dots in B.M.W., so every make of its answer matches.
  const hits = bestFirst(question, counted.results, ({ make }) => [make, question]).map(
    ({ make, count }) => ({
      ...{ title: make, path: asking('/vehicles', { make, match: 'exact' }) },
      facts: [text(vehicles.counted, { count })],
    }),
  )
  return groupOf('vehicles', texts.makes, registerPath(question), hits)
}

async function datasets(get: GetJson, question: string): Promise<Found> {
  const list = await resultOf(
    get<{ results: readonly components['schemas']['CatalogueEntry'][] }>('/v1/datasets'),
  )
  if (isFailure(list)) return texts.datasets
  const hits = bestFirst(question, list.results, ({ title, description }) => [
    `${meaningOf(title)} ${title}`,
    description,
  ]).map(({ name, title, description }) => ({
    ...{ title: meaningOf(title), path: `/data/${name}`, facts: [meaningOf(description)] },
  }))
  return groupOf('datasets', texts.datasets, '/data', hits)
}

/** Finds parts of the documentation by its own search. */
async function documents(_: GetJson, q: string): Promise<Found> {
  const { search } = await import('../docs/search.ts')
  const hits = search(q).map(({ path, title, heading, section, summary }) => ({
    ...{ title: heading === '' ? title : `${title}: ${heading}`, path },
    facts: [SECTIONS.find(({ name }) => name === section)?.title ?? '', summary].filter(Boolean),
  }))
  return groupOf('docs', texts.docs, asking('/docs', { q }), hits)
}

/** The path of the search of the register by make and model. */
export const registerPath = (q: string): string => asking('/vehicles', { q })

const asking = (path: string, query: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams(query)}`

function groupOf(kind: string, title: string, all: string, found: Group['results'], most = MOST_RESULTS) {
  return { kind, title, all, results: found.slice(0, most), count: found.length }
}
