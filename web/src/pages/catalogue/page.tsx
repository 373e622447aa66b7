import type { components } from '../../../../client/src/schema.ts'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { FeedLinks } from '../../parts/feed-links.tsx'
import { counted } from '../../words/numbers.ts'
import { DatasetFacts } from './dataset-facts.tsx'

type Dataset = components['schemas']['DatasetDescription']

interface CatalogueData {
  readonly datasets: readonly Dataset[]
  /** The catalogue as schema.org describes it. */
  readonly structured: object
}

const RELEASES_FEED = '/v1/releases/feed'

/** The catalogue: every dataset, whose it is, how fresh, how large, and what is wrong with it. */
export const catalogue = declarePage<CatalogueData>({
  path: '/data',
  maxAge: 60,
  script: 'catalogue',
  async load({ get }) {
    const { results } = await get<{ results: { name: string }[] }>('/v1/datasets')
    const [structured, ...datasets] = await Promise.all([
      get<object>('/v1/datasets?format=jsonld&profile=schema.org'),
      ...results.map(({ name }) => get<Dataset>(`/v1/datasets/${name}`)),
    ])
    return { datasets, structured }
  },
  title: () => 'Data',
  description: ({ datasets }) =>
    `${counted(datasets.length, 'dataset')} of the island, free to use: ${datasets.map(({ title }) => title.toLowerCase()).join(', ')}.`,
  structured: ({ structured }) => structured,
  feeds: site => site.feeds.filter(({ path }) => path === RELEASES_FEED),
  View,
})

function View({ data: { datasets }, site }: ViewProps<CatalogueData>) {
  const feed = site.feeds.find(({ path }) => path === RELEASES_FEED)
  return (
    <>
      <h1>Data</h1>
      <p>
        Every dataset, complete, in the format that your tools open: as files and by the{' '}
        <a href={to('/docs')}>API</a>, without a key.
      </p>
      <ul class="datasets">
        {datasets.map(dataset => (
          <li key={dataset.name} class="card">
            <h2>
              <a href={to(`/data/${dataset.name}`)}>{dataset.title}</a>
            </h2>
            <p>{dataset.description}</p>
            <DatasetFacts dataset={dataset} />
          </li>
        ))}
      </ul>
      {feed !== undefined && (
        <p class="no-print">
          Hear of new releases: <FeedLinks feed={feed} />
        </p>
      )}
    </>
  )
}
