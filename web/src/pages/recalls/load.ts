import type { components } from '../../../../client/src/schema.ts'
import { type LoadRequest, to } from '../../page.ts'
import { type Failure, isFailure, resultOf } from '../../parts/failed-request.tsx'

export type Recall = components['schemas']['ProductRecall']

/** The parameters of the API that the page takes. */
export const PARAMETERS = ['q', 'brand', 'since', 'page'] as const

export type RecallQuestion = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>

/** A page of recalls as the API gives it. */
export interface RecallList {
  readonly pagination: components['schemas']['Pagination']
  readonly results: readonly Recall[]
}

export interface RecallsData {
  readonly asked: RecallQuestion
  readonly list: RecallList | Failure
  readonly brands: readonly string[]
  /** The number of all recalls and the date of the first, for a search without a result. */
  readonly all: { readonly count: number; readonly since: string | undefined } | undefined
}

const PAGE_LENGTH = 20
const MOST_BRANDS = 300
/** The fields in the list. The page of a recall has the other fields. */
export const FIELDS = 'id,title,brand,recallDate,problem'

/** Gets a page of recalls, newest first, and the brands to suggest. */
export async function loadRecalls({ query, get }: LoadRequest): Promise<RecallsData> {
  const asked = readQuestion(query)
  const parameters = new URLSearchParams({
    ...asked,
    sort: '-recallDate',
    limit: String(PAGE_LENGTH),
    fields: FIELDS,
  })
  const [list, counted] = await Promise.all([
    resultOf(get<RecallList>(`/v1/product-recalls?${parameters}`)),
    resultOf(get<{ results: { brand: string }[] }>(`/v1/product-recalls/stats?by=brand&top=${MOST_BRANDS}`)),
  ])
  const brands = isFailure(counted)
    ? []
    : counted.results.flatMap(({ brand }) => (brand === '' ? [] : [brand]))
  const isNothing = !isFailure(list) && list.pagination.totalItems === 0
  return { asked, list, brands, all: isNothing ? await loadAll(get) : undefined }
}

async function loadAll(get: LoadRequest['get']): Promise<RecallsData['all']> {
  const oldest = await resultOf(
    get<RecallList>('/v1/product-recalls?sort=recallDate&limit=1&fields=recallDate'),
  )
  if (isFailure(oldest)) return undefined
  return { count: oldest.pagination.totalItems, since: oldest.results[0]?.recallDate }
}

/** The question of an address, without blank fields. */
function readQuestion(query: URLSearchParams): RecallQuestion {
  const given = PARAMETERS.map(name => [name, query.get(name)?.trim() ?? ''] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

/** The address of the page that answers a question. */
export function linkTo(asked: RecallQuestion): string {
  const query = new URLSearchParams(asked).toString()
  return to(query === '' ? '/recalls' : `/recalls?${query}`)
}

/** A question without some of its parameters. */
export const withoutSome = (asked: RecallQuestion, names: readonly string[]): RecallQuestion =>
  Object.fromEntries(Object.entries(asked).filter(([name]) => !names.includes(name)))
