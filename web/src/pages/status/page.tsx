import { useEffect, useState } from 'preact/hooks'
import { dataLanguage } from '../../address.ts'
import { getJson } from '../../browser/get-json.ts'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { status as texts } from '../../texts/en/status.ts'
import { link, muted, rich, text } from '../../texts/rich.tsx'
import { ageInWords, timeInWords } from '../../words/relative-time.ts'
import { DatasetRow } from './dataset-row.tsx'
import { FeedHealth } from './feed-health.tsx'
import { loadStatus, type Status } from './load-status.ts'
import { HISTORY, loadPastDays, type PastDays, PastDaysBars, sourceDays } from './past-days.tsx'
import { faultsOf, worstOf } from './verdict.ts'

interface StatusData extends Status {
  readonly past: PastDays
}

/** The state of the service and its data. */
export const status = declarePage<StatusData>({
  path: '/status',
  maxAge: 30,
  script: 'status',
  hydrated: true,
  load: async ({ get }) => {
    const status = await loadStatus(get)
    return { ...status, past: await loadPastDays(get, status.feed?.names ?? {}) }
  },
  title: () => texts.title,
  description: () => texts.description,
  View,
})

const REFRESH_MS = 60_000

/** The newest state, and the time of the last try to get it. It changes only in the browser. */
function useStatus(first: Status) {
  const [state, setState] = useState({ status: first, triedAt: first.now, failed: false })
  const refresh = (event?: Event) => {
    event?.preventDefault()
    loadStatus(getJson).then(
      loaded => setState({ status: loaded, triedAt: loaded.now, failed: false }),
      () => setState(last => ({ ...last, triedAt: Date.now(), failed: true })),
    )
  }
  useEffect(() => {
    const timer = setInterval(refresh, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return { ...state, refresh }
}

function View({ data, site: { isCounting, island } }: ViewProps<StatusData>) {
  const { status, triedAt: now, failed, refresh } = useStatus(data)
  const { datasets, feed, releases } = status
  const faults = faultsOf({ ...status, now }, isCounting)
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="status-verdict">
        <strong class={`status-${worstOf(faults)}`}>
          {faults.length === 0 ? texts.good : faults.map(({ words }) => words).join(' ')}
        </strong>
      </p>
      <p class="facts" role="status">
        {text(texts.asOf, { time: timeInWords(status.now, now), island: island.name })}{' '}
        {failed && text(texts.unreachable, { age: ageInWords((now - status.now) / 1000) })}
      </p>
      <p class="no-print">
        <a class="button plain" href={to('/status')} onClick={refresh}>
          {texts.refresh}
        </a>
      </p>
      <h2>{texts.datasets}</h2>
      <ul class="cards">
        {datasets.map(dataset => (
          <DatasetRow key={dataset.name} dataset={dataset} now={now} />
        ))}
      </ul>
      <PastDaysBars past={sourceDays(datasets, now)} of={texts.sourceDays} data="/v1/datasets" />
      <h2>{texts.liveCounts}</h2>
      <FeedHealth {...{ feed, now, isCounting }} />
      <PastDaysBars past={data.past} of={texts.countDays} data={HISTORY} />
      <h2>{texts.releases}</h2>
      <ul class="status-releases">
        {releases.map(({ title, summary, date_published: publishedAt, tags: [dataset] }) => (
          <li key={`${title} ${publishedAt}`}>
            <a href={to(`/data/${dataset}`)} lang={dataLanguage}>
              {title}
            </a>
            <p>
              {rich(texts.published, {
                ...{
                  time: timeInWords(publishedAt, now),
                  summary: <span lang={dataLanguage}>{summary}</span>,
                },
                muted,
              })}
            </p>
          </li>
        ))}
      </ul>
      <p>
        {rich(texts.feeds, {
          atom: link('/v1/releases/feed.atom'),
          json: link('/v1/releases/feed.json'),
          api: link('/v1/datasets'),
        })}
      </p>
    </>
  )
}
