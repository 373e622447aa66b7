import type { components } from '../../../../client/src/schema.ts'
import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import type { LoadRequest } from '../../page.ts'
import { isFailure, resultOf } from '../../parts/failed-request.tsx'
import { KINDS, type Place } from '../../places/kinds.ts'
import { byParish } from '../../places/parishes.ts'
import { LONGEST_QUESTION } from '../../shell/header.tsx'
import { search as texts } from '../../texts/en/search.ts'
import { vehicles } from '../../texts/en/vehicles.ts'
import { text } from '../../texts/text.ts'
import { dateOf } from '../../words/island-time.ts'
import { SECTIONS } from '../docs/document.ts'
import type { FoundPlaces } from '../map/load.ts'
import type { Recall } from '../recalls/load.ts'
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
  /** The kind in addresses: the name of a dataset, `datasets` or `docs`. */
  readonly kind: string
  readonly title: string
  readonly count: number
  /** The best results; all results if the question is for this kind of places alone. */
  readonly results: readonly (Place | Hit)[]
  /** The path of the page with all results. */
  readonly all: string
}

export interface SearchData {
  /** The question, cut to a sensible length. */
  readonly question: string
  readonly isCut: boolean
  /** The only kind in the results; undefined for all kinds. */
  readonly only: string | undefined
  /** The kinds with results. */
  readonly groups: readonly Group[]
  /** The titles of the kinds that are not available now. */
  readonly unavailable: readonly string[]
}

const MOST_RESULTS = 5

/** The results of a kind, or the titles of the kinds that did not answer. */
type Found = Group | { readonly missing: string }

/** Asks for every kind of result at once. A question without words asks for nothing. */
export async function loadSearch({ query, get }: LoadRequest): Promise<SearchData> {
  const asked = [...(query.get('q')?.trim() ?? '')]
  const question = asked.slice(0, LONGEST_QUESTION).join('')
  const isCut = asked.length > LONGEST_QUESTION
  if (question === '') return { question, isCut, only: undefined, groups: [], unavailable: [] }
  const only = KINDS.find(({ dataset }) => dataset === query.get('kind'))?.dataset
  const found =
    only === undefined
      ? (
          await Promise.all([
            places(get, question),
            recalls(get, question),
            makes(get, question),
            datasets(get, question),
            documents(question),
          ])
        ).flat()
      : await places(get, question, only)
  return {
    ...{ question, isCut, only },
    groups: found.filter(each => 'count' in each).filter(({ count }) => count > 0),
    unavailable: found.flatMap(each => ('missing' in each ? [each.missing] : [])),
  }
}

/** Finds places by name, parish and kind. The API has no search by name, so the whole list is read, as for the map. */
async function places(get: GetJson, question: string, only?: string): Promise<readonly Found[]> {
  const list = await resultOf(get<FoundPlaces>('/v1/places?include=live'))
  const kinds = KINDS.filter(({ dataset }) => only === undefined || dataset === only)
  return kinds.map(({ dataset, one, many }) => {
    if (isFailure(list) || list.unavailable.includes(dataset)) return { missing: many }
    const all = list.results.filter(place => place.dataset === dataset).toSorted(byParish)
    const found = bestFirst(question, all, ({ name, parish }) => ({
      name,
      further: [parish, one, many].join(' '),
    }))
    return {
      ...groupOf(dataset, many, found, only === undefined ? MOST_RESULTS : found.length),
      all: `/search?${new URLSearchParams({ q: question, kind: dataset })}`,
    }
  })
}

/** Finds recalls by the API's own search, newest first as in their list. */
async function recalls(get: GetJson, question: string): Promise<Found> {
  const query = new URLSearchParams({ q: question, sort: '-recallDate', limit: String(MOST_RESULTS) })
  const list = await resultOf(
    get<{ pagination: components['schemas']['Pagination']; results: readonly Recall[] }>(
      `/v1/product-recalls?${query}&fields=id,title,brand,recallDate,problem`,
    ),
  )
  if (isFailure(list)) return { missing: texts.recalls }
  const hits = list.results.map(({ id, title, brand, recallDate, problem }) => ({
    ...{ title, path: `/recalls/${id}` },
    facts: [brand, dateOf(recallDate), problem].filter(fact => fact !== ''),
  }))
  return {
    ...groupOf('product-recalls', texts.recalls, hits),
    count: list.pagination.totalItems,
    all: `/recalls?${new URLSearchParams({ q: question })}`,
  }
}

/** Finds makes with the question in them by the counts of the register. Equal matches come by their number of vehicles. */
async function makes(get: GetJson, question: string): Promise<Found> {
  const counted = await resultOf(
    get<{ results: readonly { make: string; count: number }[] }>(
      `/v1/vehicles/stats?${new URLSearchParams({ by: 'make', make: question })}`,
    ),
  )
  if (isFailure(counted)) return { missing: texts.makes }
  // The API folds more than this page does, as in B.M.W., so a match of the API counts in any case.
  const found = bestFirst(question, counted.results, ({ make }) => ({ name: make, further: question }))
  const hits = found.map(({ make, count }) => ({
    title: make,
    path: `/vehicles?${new URLSearchParams({ make, match: 'exact' })}`,
    facts: [text(vehicles.counted, { count })],
  }))
  return { ...groupOf('vehicles', texts.makes, hits), all: registerPath(question) }
}

/** The path of the search of the register by make and model. */
export const registerPath = (question: string): string => `/vehicles?${new URLSearchParams({ q: question })}`

async function datasets(get: GetJson, question: string): Promise<Found> {
  const list = await resultOf(
    get<{ results: readonly components['schemas']['CatalogueEntry'][] }>('/v1/datasets'),
  )
  if (isFailure(list)) return { missing: texts.datasets }
  const found = bestFirst(question, list.results, ({ name, title, description }) => ({
    name: title,
    further: `${name} ${description}`,
  }))
  const hits = found.map(({ name, title, description }) => ({
    ...{ title, path: `/data/${name}` },
    facts: [description],
  }))
  return { ...groupOf('datasets', texts.datasets, hits), all: '/data' }
}

/** Finds parts of the documentation by its own search. */
async function documents(question: string): Promise<Found> {
  const hits = (await import('../docs/search.ts'))
    .search(question)
    .map(({ path, title, heading, section, summary }) => ({
      ...{ title: heading === '' ? title : `${title}: ${heading}`, path },
      facts: [SECTIONS.find(({ name }) => name === section)?.title ?? '', summary].filter(
        fact => fact !== '',
      ),
    }))
  return {
    ...groupOf('docs', texts.docs, hits),
    all: `/docs?${new URLSearchParams({ q: question })}`,
  }
}

const groupOf = (kind: string, title: string, found: readonly (Place | Hit)[], most = MOST_RESULTS) => ({
  ...{ kind, title, count: found.length },
  results: found.slice(0, most),
})
