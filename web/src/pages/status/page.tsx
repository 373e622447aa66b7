import { useEffect, useState } from 'preact/hooks'
import { getJson } from '../../browser/get-json.ts'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { ageInWords, timeInWords } from '../../words/relative-time.ts'
import { DatasetRow } from './dataset-row.tsx'
import { FeedHealth } from './feed-health.tsx'
import { loadStatus, type Status } from './load-status.ts'
import { faultsOf } from './verdict.ts'

/** How the service and its data are now. */
export const status = declarePage<Status>({
  path: '/status',
  maxAge: 30,
  script: 'status',
  load: ({ get }) => loadStatus(get),
  title: () => 'Status',
  description: () => 'How fresh each dataset is, how the live counts are, and what was published last.',
  View,
})

const REFRESH_MS = 60_000

/** The newest state, and the time of the last attempt to get it; in the browser alone it changes. */
function useStatus(first: Status) {
  const [state, setState] = useState({ status: first, triedAt: first.now, failed: false })
  const refresh = () =>
    loadStatus(getJson).then(
      loaded => setState({ status: loaded, triedAt: loaded.now, failed: false }),
      () => setState(last => ({ ...last, triedAt: Date.now(), failed: true })),
    )
  useEffect(() => {
    const timer = setInterval(() => void refresh(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return { ...state, refresh }
}

/** Where scripts run, a link is followed without leaving the page. */
const takeOver = (act: () => Promise<void>) => (event: Event) => {
  event.preventDefault()
  void act()
}

function View({ data, site: { isCounting } }: ViewProps<Status>) {
  const { status, triedAt: now, failed, refresh } = useStatus(data)
  const { datasets, feed, releases } = status
  const faults = faultsOf({ ...status, now }, isCounting)
  return (
    <>
      <h1>Status</h1>
      <p class="status-verdict">
        <strong class={faults.length === 0 ? 'status-good' : 'status-bad'}>
          {faults.length === 0 ? 'All is well.' : faults.join(' ')}
        </strong>
      </p>
      <p class="facts" role="status">
        As of {timeInWords(status.now, now)}, by the island's clock.{' '}
        {failed && `The service cannot be reached: this is from ${ageInWords((now - status.now) / 1000)}. `}
      </p>
      <p class="no-print">
        <a class="button plain" href={to('/status')} onClick={takeOver(refresh)}>
          Refresh
        </a>
      </p>
      <h2>Datasets</h2>
      <ul class="cards">
        {datasets.map(dataset => (
          <DatasetRow key={dataset.name} dataset={dataset} now={now} />
        ))}
      </ul>
      <h2>Live counts of the car parks</h2>
      <FeedHealth {...{ feed, now, isCounting }} />
      <h2>Latest releases</h2>
      <ul class="status-releases">
        {releases.map(({ title, summary, publishedAt, dataset }) => (
          <li key={`${title} ${publishedAt}`}>
            <a href={to(`/data/${dataset}`)}>{title}</a>
            <p>
              Published {timeInWords(publishedAt, now)}. <span class="muted">{summary}</span>
            </p>
          </li>
        ))}
      </ul>
      <p>
        Follow it in a feed reader: <a href={to('/v1/releases/feed.atom')}>Atom</a>,{' '}
        <a href={to('/v1/releases/feed.json')}>JSON Feed</a>. For programs:{' '}
        <a href={to('/v1/datasets')}>/v1/datasets</a>.
      </p>
    </>
  )
}
