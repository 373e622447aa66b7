import { absolute, declarePage, to, type ViewProps } from '../../page.ts'
import { Fact } from '../../parts/fact.tsx'
import { type Failure, isFailure, resultOf } from '../../parts/failed-request.tsx'
import { dateOf } from '../../words/island-time.ts'
import type { Recall } from '../recalls/load.ts'
import { recallAddresses } from './addresses.ts'

type RecallData = Recall | Failure

/** One recall: what is wrong with which product, and what to do. */
export const recall = declarePage<RecallData>({
  path: '/recalls/:id',
  maxAge: 300,
  script: 'recall',
  async load({ params: { id = '' }, get }) {
    const result = await resultOf(get<Recall>(`/v1/product-recalls/${encodeURIComponent(id)}`))
    // What other problems there are is not about this recall.
    if (isFailure(result) && result.failed.status !== 404)
      throw Object.assign(new Error(result.failed.detail), { problem: result.failed, ...result })
    return result
  },
  title: data => (isFailure(data) ? 'No such recall' : data.title),
  description: data => (isFailure(data) ? data.failed.detail : data.problem),
  status: data => (isFailure(data) ? 404 : 200),
  addresses: recallAddresses,
  structured: data => (isFailure(data) ? undefined : article(data)),
  View,
})

function View({ data }: ViewProps<RecallData>) {
  if (isFailure(data))
    return (
      <>
        <h1>No such recall</h1>
        <p>
          There is no recall at this address. It may have been withdrawn.{' '}
          <a href={to('/recalls')}>All recalls</a>
        </p>
      </>
    )
  const { title, brand, problem, recallDate, packSize, batchCodes, furtherInformation, websiteUrl } = data
  return (
    <article class="recall">
      <p class="no-print">
        <a href={to('/recalls')}>All recalls</a>
      </p>
      <h1>{title}</h1>
      <p class="notice hazard">
        <strong>{problem}</strong>
      </p>
      <dl class="facts-list">
        <Fact name="Brand">{brand}</Fact>
        <Fact name="Recalled on">{dateOf(recallDate)}</Fact>
        <Fact name="Pack size">{packSize}</Fact>
        <Fact name="Batch codes">{batchCodes}</Fact>
      </dl>
      <h2>Details and what to do</h2>
      {furtherInformation === '' ? (
        <p>Stop using it, and ask the shop where you bought it.</p>
      ) : (
        // The API promises that this is reduced to elements that run nothing.
        <div class="notice-text scrolling" dangerouslySetInnerHTML={{ __html: furtherInformation }} />
      )}
      {websiteUrl !== '' && (
        <p>
          <a href={websiteUrl}>The original notice</a>
        </p>
      )}
      {brand !== '' && (
        <p class="no-print">
          <a href={to(`/recalls?${new URLSearchParams({ brand })}`)}>More recalls of {brand}</a>
        </p>
      )}
      <p class="facts no-print">
        <a href={to(`/v1/product-recalls/${data.id}`)}>This recall as data</a>
      </p>
    </article>
  )
}

/** An article about a product: schema.org has no recall, and its products are for sale. */
const article = ({ id, title, problem, recallDate, brand, websiteUrl }: Recall) => ({
  '@context': 'https://schema.org',
  '@type': 'Article',
  headline: title,
  description: problem,
  datePublished: recallDate,
  url: absolute(`/recalls/${id}`),
  ...(websiteUrl !== '' && { isBasedOn: websiteUrl }),
  ...(brand !== '' && { about: { '@type': 'Brand', name: brand } }),
})
