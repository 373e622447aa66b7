import type { components } from '../../../../client/src/schema.ts'
import { type LoadRequest, to } from '../../page.ts'
import { type Failure, isFailure, resultOf } from '../../parts/failed-request.tsx'

export type Recall = components['schemas']['ProductRecall']

/** The parameters of the API that the page has. */
export const PARAMETERS = ['q', 'brand', 'since', 'page'] as const

export type RecallQuestion = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>

interface RecallList {
  readonly pagination: components['schemas']['Pagination']
  readonly results: readonly Recall[]
}

export interface RecallsData {
  readonly asked: RecallQuestion
  readonly list: RecallList | Failure
  readonly brands: readonly string[]
}

const PAGE_LENGTH = 20
const MOST_BRANDS = 300
/** What the list shows of each; the rest is for the page of one. */
const FIELDS = 'id,title,brand,recallDate,problem'

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
  return { asked, list, brands }
}

/** Fields that were left blank ask nothing. */
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
