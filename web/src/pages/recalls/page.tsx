import type { FeedLink } from '../../../../src/interfaces/web/explorer.ts'
import { dataLanguage } from '../../address.ts'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { EmbedCode } from '../../parts/embed-code.tsx'
import { isFailure, type ParameterError } from '../../parts/failed-request.tsx'
import { FeedUpdates } from '../../parts/feed-updates.tsx'
import { errorOf, TextField } from '../../parts/field.tsx'
import { Paging } from '../../parts/paging.tsx'
import { RefusedSearch } from '../../parts/refused-search.tsx'
import { parts } from '../../texts/en/parts.ts'
import { recalls as texts } from '../../texts/en/recalls.ts'
import { anchor, link, rich, text } from '../../texts/rich.tsx'
import { dateOf, monthOf } from '../../words/island-time.ts'
import {
  linkTo,
  loadRecalls,
  type Recall,
  type RecallQuestion,
  type RecallsData,
  withoutSome,
} from './load.ts'

/** Whether a feed is the one of the recalls. */
const isShown = ({ path }: FeedLink) => path === '/v1/product-recalls/feed'

/** The parameters that have a field. */
const FIELDS = ['q', 'brand', 'since']

/** Product recalls, newest first, searched by words, brand and date. */
export const recalls = declarePage<RecallsData>({
  path: '/recalls',
  maxAge: 300,
  script: 'recalls',
  load: loadRecalls,
  title({ asked: { q, brand, page } }) {
    const about = [q, brand].filter(part => part !== undefined).join(', ')
    const title = about === '' ? texts.title : text(texts.titleAbout, { title: texts.title, about })
    return page === undefined ? title : text(texts.titlePage, { title, page })
  },
  description: () => texts.description,
  status: ({ list }) => (isFailure(list) ? list.failed.status : 200),
  retryAfterS: ({ list }) => (isFailure(list) ? list.retryAfterS : undefined),
  feeds: site => site.feeds.filter(isShown),
  View,
})

function View({ data: { asked, list, brands, all }, site }: ViewProps<RecallsData>) {
  const errors = isFailure(list) ? (list.failed.errors ?? []) : []
  return (
    <>
      <h1>{texts.title}</h1>
      <p>{texts.lead}</p>
      {isFailure(list) && (
        <RefusedSearch failure={list} fields={FIELDS} without={names => linkTo(withoutSome(asked, names))} />
      )}
      <SearchForm asked={asked} errors={errors} brands={brands} />
      {!isFailure(list) && <Found list={list} asked={asked} all={all} />}
      <FeedUpdates feed={site.feeds.find(isShown)} />
      <EmbedCode path="/embed/recalls" title={texts.title} height={600} />
    </>
  )
}

interface SearchFormProps extends Pick<RecallsData, 'asked' | 'brands'> {
  readonly errors: readonly ParameterError[]
}

/** Searches recalls by words, brand and date. */
function SearchForm({ asked, errors, brands }: SearchFormProps) {
  const fieldOf = (name: keyof RecallQuestion) => ({
    name,
    value: asked[name] ?? '',
    error: errorOf(errors, name),
  })
  return (
    <search>
      <form class="recall-search fields no-print" action={to('/recalls')} aria-label={texts.searchForm}>
        <TextField {...fieldOf('q')} label={texts.product} type="search" />
        <TextField {...fieldOf('brand')} label={texts.brand} list={brands} />
        <TextField {...fieldOf('since')} label={texts.since} type="date" />
        <button type="submit">{texts.search}</button>
      </form>
    </search>
  )
}

type Shown = Exclude<RecallsData['list'], { failed: unknown }>

interface FoundProps extends Pick<RecallsData, 'asked' | 'all'> {
  readonly list: Shown
}

function Found({ list: { pagination, results }, asked, all }: FoundProps) {
  const { page, totalPages, totalItems } = pagination
  const { page: _, ...search } = asked
  return (
    <section aria-labelledby="total">
      <h2 id="total">
        {totalItems === 0 && all !== undefined
          ? text(texts.noMatch, { count: all.count, since: all.since ? monthOf(all.since) : 'none' })
          : text(texts.counted, { count: totalItems })}
      </h2>
      {totalItems === 0 && <p class="notice">{rich(texts.notListed, { link: link('/recalls') })}</p>}
      {totalItems > 0 && results.length === 0 && (
        <p class="notice">{rich(parts.noPage, { page, link: anchor(linkTo(search)) })}</p>
      )}
      <ol class="recalls">
        {results.map(recall => (
          <RecallItem key={recall.id} recall={recall} heading="h3" />
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

interface RecallItemProps {
  readonly recall: Recall
  readonly heading: 'h2' | 'h3'
}

/** One recall of a list. */
export function RecallItem({ recall, heading: Heading }: RecallItemProps) {
  const { id, title, brand, recallDate, problem } = recall
  return (
    <li>
      <Heading>
        <a href={to(`/recalls/${id}`)} lang={dataLanguage}>
          {title}
        </a>
      </Heading>
      <p class="hazard" lang={dataLanguage}>
        {problem}
      </p>
      <p class="facts">
        {brand !== '' && `${brand} · `}
        <time dateTime={recallDate}>{dateOf(recallDate)}</time>
      </p>
    </li>
  )
}
