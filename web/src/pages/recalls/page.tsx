import { declarePage, to, type ViewProps } from '../../page.ts'
import { isFailure } from '../../parts/failed-request.tsx'
import { FeedLinks } from '../../parts/feed-links.tsx'
import { Paging } from '../../parts/paging.tsx'
import { RefusedSearch } from '../../parts/refused-search.tsx'
import { dateOf } from '../../words/island-time.ts'
import { counted } from '../../words/numbers.ts'
import { linkTo, loadRecalls, type Recall, type RecallsData, withoutSome } from './load.ts'
import { FIELDS, SearchForm } from './search-form.tsx'

const FEED = '/v1/product-recalls/feed'

/** Product recalls, newest first, searched by words, brand and date. */
export const recalls = declarePage<RecallsData>({
  path: '/recalls',
  maxAge: 300,
  script: 'recalls',
  load: loadRecalls,
  title({ asked: { q, brand, page } }) {
    const about = [q, brand].filter(text => text !== undefined).join(', ')
    return `Product recalls${about && `: ${about}`}${page === undefined ? '' : `, page ${page}`}`
  },
  description: () => 'Safety warnings and recalls of products sold on the island: what, why and what to do.',
  status: ({ list }) => (isFailure(list) ? list.failed.status : 200),
  retryAfterS: ({ list }) => (isFailure(list) ? list.retryAfterS : undefined),
  feeds: site => site.feeds.filter(({ path }) => path === FEED),
  View,
})

function View({ data: { asked, list, brands }, site }: ViewProps<RecallsData>) {
  const feed = site.feeds.find(({ path }) => path === FEED)
  const errors = isFailure(list) ? (list.failed.errors ?? []) : []
  return (
    <>
      <h1>Product recalls</h1>
      <p>Is something in your home recalled? Search by what it is, its brand or its hazard.</p>
      {isFailure(list) && (
        <RefusedSearch failure={list} fields={FIELDS} without={names => linkTo(withoutSome(asked, names))} />
      )}
      <SearchForm asked={asked} errors={errors} brands={brands} />
      {!isFailure(list) && <Found list={list} asked={asked} />}
      {feed !== undefined && (
        <p class="no-print">
          Hear of new recalls: <FeedLinks feed={feed} />
        </p>
      )}
    </>
  )
}

type Shown = Exclude<RecallsData['list'], { failed: unknown }>

function Found({ list: { pagination, results }, asked }: { list: Shown; asked: RecallsData['asked'] }) {
  const { page, totalPages, totalItems } = pagination
  const { page: _, ...search } = asked
  return (
    <section aria-labelledby="total">
      <h2 id="total">{counted(totalItems, 'recall')}</h2>
      {totalItems === 0 && (
        <p class="notice">
          No recall here matches. That is no proof that a product is safe: ask the shop if you are in doubt.{' '}
          <a href={to('/recalls')}>Show all recalls</a>
        </p>
      )}
      {totalItems > 0 && results.length === 0 && (
        <p class="notice">
          There is no page {page}. <a href={linkTo(search)}>Go to the first page</a>
        </p>
      )}
      <ol class="recalls">
        {results.map(recall => (
          <RecallItem key={recall.id} recall={recall} />
        ))}
      </ol>
      <Paging
        page={page}
        totalPages={totalPages}
        linkTo={number => linkTo(number === 1 ? search : { ...search, page: String(number) })}
      />
    </section>
  )
}

function RecallItem({ recall: { id, title, brand, recallDate, problem } }: { readonly recall: Recall }) {
  return (
    <li>
      <h3>
        <a href={to(`/recalls/${id}`)}>{title}</a>
      </h3>
      <p class="hazard">{problem}</p>
      <p class="facts">
        {brand !== '' && `${brand} · `}
        <time dateTime={recallDate}>{dateOf(recallDate)}</time>
      </p>
    </li>
  )
}
