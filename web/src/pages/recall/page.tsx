import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { dataLanguage } from '../../address.ts'
import { absolute, declarePage, to, type ViewProps } from '../../page.ts'
import { Fact } from '../../parts/fact.tsx'
import { type Failure, isFailure, resultOf } from '../../parts/failed-request.tsx'
import { withPhoneLinks } from '../../parts/phone-numbers.ts'
import { ReportMistake } from '../../parts/report-mistake.tsx'
import { recall as texts } from '../../texts/en/recalls.ts'
import { link, rich, text } from '../../texts/rich.tsx'
import { dateOf } from '../../words/island-time.ts'
import type { Recall, RecallList } from '../recalls/load.ts'

type RecallData = Recall | Failure

/** One recall: the product, its fault, and what to do. */
export const recall = declarePage<RecallData>({
  path: '/recalls/:id',
  maxAge: 300,
  script: 'recall',
  async load({ params: { id = '' }, get }) {
    const result = await resultOf(get<Recall>(`/v1/product-recalls/${encodeURIComponent(id)}`))
    // Other problems are not about this recall.
    if (isFailure(result) && result.failed.status !== 404)
      throw Object.assign(new Error(result.failed.detail), { problem: result.failed, ...result })
    return result
  },
  title: data => (isFailure(data) ? texts.notFound : data.title),
  description: data => (isFailure(data) ? data.failed.detail : data.problem),
  status: data => (isFailure(data) ? 404 : 200),
  addresses: recallAddresses,
  structured: data => (isFailure(data) ? undefined : article(data)),
  View,
})

function View({ data, site }: ViewProps<RecallData>) {
  if (isFailure(data))
    return (
      <>
        <h1>{texts.notFound}</h1>
        <p>{rich(texts.notFoundDetail, { link: link('/recalls') })}</p>
      </>
    )
  const { title, brand, problem, recallDate, packSize, batchCodes, furtherInformation, websiteUrl } = data
  return (
    <article class="recall">
      <p class="no-print">
        <a href={to('/recalls')}>{texts.all}</a>
      </p>
      <h1 lang={dataLanguage}>{title}</h1>
      <p class="notice hazard" lang={dataLanguage}>
        <strong>{problem}</strong>
      </p>
      <dl class="facts-list">
        <Fact name={texts.facts.brand}>{brand}</Fact>
        <Fact name={texts.facts.date}>{dateOf(recallDate)}</Fact>
        <Fact name={texts.facts.packSize}>{packSize}</Fact>
        <Fact name={texts.facts.batchCodes}>{batchCodes}</Fact>
      </dl>
      <h2>{texts.details}</h2>
      {furtherInformation === '' ? (
        <p>{texts.advice}</p>
      ) : (
        // The API promises to remove elements that run code.
        <div
          class="notice-text scrolling"
          lang={dataLanguage}
          dangerouslySetInnerHTML={{ __html: withPhoneLinks(furtherInformation) }}
        />
      )}
      {websiteUrl !== '' && (
        <p>
          <a href={websiteUrl} hreflang={dataLanguage}>
            {texts.notice}
          </a>
        </p>
      )}
      {brand !== '' && (
        <p class="no-print">
          <a href={to(`/recalls?${new URLSearchParams({ brand })}`)}>{text(texts.more, { brand })}</a>
        </p>
      )}
      <ReportMistake site={site} name={title} path={`/recalls/${data.id}`} />
      <p class="facts no-print">
        <a href={to(`/v1/product-recalls/${data.id}`)}>{texts.asData}</a>
      </p>
    </article>
  )
}

/** An article about a product. Schema.org has no type for recalls, and its products are for sale. */
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

/** The addresses of all published recalls. */
async function recallAddresses(get: GetJson): Promise<readonly string[]> {
  const addresses: string[] = []
  // The request has no limit, because an operator may allow fewer than any number here.
  for (let cursor: string | null | undefined = '*'; cursor; ) {
    const url: string = `/v1/product-recalls?fields=id&cursor=${encodeURIComponent(cursor)}`
    const { results, pagination } = await get<RecallList>(url)
    addresses.push(...results.map(({ id }) => `/recalls/${id}`))
    cursor = pagination.nextCursor
  }
  return addresses
}
