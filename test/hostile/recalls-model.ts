import { RECALLS } from '../support/island.ts'
import { searchedText } from '../support/searched-text.ts'
import { dateOf, type ModelQuery, wholeNumber } from './query-model.ts'
import { isText, searchedWords, sortOf } from './vehicles-model.ts'

/* The rules of product recalls once more, written plainly over a list in memory. */

/** What HTML has of a recall, and what readers see of it. */
const FURTHER = [
  { html: '<p>Return it.</p>', seen: 'Return it.' },
  { html: '<p>Gre<b>y</b> <a href="https://208.example/ford">100%</a></p>', seen: 'Grey 100%' },
  { html: '<ul><li>Ško</li><li>da &amp; a_b</li></ul>', seen: 'Ško da & a_b' },
  { html: '', seen: '' },
]
const BRANDS = ['Acme & Sons', 'B.M.W.', 'Citroën', '', "O'Neil"]
const PROBLEMS = ['Choking', 'Car 208', 'Straße']

/** Recalls as they are imported and served. */
export const MODEL_RECALLS = Array.from({ length: 12 }, (_, index) => ({
  ...RECALLS[0],
  id: 12 - index,
  title: index % 2 === 0 ? `Toy ${index}` : 'Mercedes-Benz 7',
  brand: BRANDS[index % BRANDS.length] ?? '',
  recallDate: `${['1999-12-31', '2023-02-28', '2024-02-29'][index % 3]}T23:00:00.000Z`,
  problem: PROBLEMS[index % PROBLEMS.length] ?? '',
  furtherInformation: FURTHER[index % FURTHER.length]?.html ?? '',
}))

export const RECALL_FILTERS = ['brand', 'since', 'q']
export const RECALL_PARAMETERS = ['page', 'limit', ...RECALL_FILTERS, 'sort']

/** The recalls that a query selects, or undefined where it is wrong. */
export function selectedRecalls(query: ModelQuery): typeof MODEL_RECALLS | undefined {
  const [brand, since, q] = RECALL_FILTERS.map(name => query.get(name))
  const from = since === undefined ? '' : dateOf(since)
  const words = q === undefined ? [] : searchedWords(q)
  if (from === undefined || words === undefined || !isText(brand ?? '')) return undefined
  return MODEL_RECALLS.filter((recall, index) => {
    const texts = [recall.title, recall.brand, recall.problem, FURTHER[index % FURTHER.length]?.seen ?? '']
    return (
      recall.recallDate.slice(0, 10) >= from &&
      (brand === undefined || searchedText(recall.brand).includes(searchedText(brand))) &&
      words.every(word => texts.some(text => searchedText(text).includes(word)))
    )
  })
}

/** The body of a page of recalls, or undefined where the query is wrong. */
export function listOfRecalls(query: ModelQuery): string | undefined {
  const page = wholeNumber(query.get('page') ?? '1', 1_000_000_000)
  const limit = wholeNumber(query.get('limit') ?? '50', 1000)
  const found = selectedRecalls(query)
  const sort = sortOf(query.get('sort'), ['recallDate'])
  if (page === undefined || limit === undefined || found === undefined || sort === undefined) return undefined
  const totalItems = found.length
  const pagination = { page, limit, totalPages: Math.ceil(totalItems / limit), totalItems }
  return JSON.stringify({
    pagination,
    results: [...found].sort(sort).slice((page - 1) * limit, page * limit),
  })
}
