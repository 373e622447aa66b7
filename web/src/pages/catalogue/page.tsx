import type { components } from '../../../../client/src/schema.ts'
import type { FeedLink } from '../../../../src/interfaces/web/explorer.ts'
import { declarePage, type ViewProps } from '../../page.ts'
import { Card } from '../../parts/card.tsx'
import { FeedUpdates } from '../../parts/feed-updates.tsx'
import { data as texts } from '../../texts/en/data.ts'
import { meaningOf } from '../../texts/meaning.ts'
import { link, rich, text } from '../../texts/rich.tsx'
import { DatasetFacts } from './dataset-facts.tsx'

type Dataset = components['schemas']['DatasetDescription']

interface CatalogueData {
  readonly datasets: readonly Dataset[]
  /** The catalogue as schema.org describes it. */
  readonly structured: object
}

/** Whether a feed is the one of the releases. */
const isShown = ({ path }: FeedLink) => path === '/v1/releases/feed'

/** The catalogue: every dataset with its publisher, age, size and known problems. */
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
  title: () => texts.title,
  description: ({ datasets }) =>
    text(texts.description, {
      count: datasets.length,
      titles: datasets.map(({ title }) => meaningOf(title).toLowerCase()).join(', '),
    }),
  structured: ({ structured }) => structured,
  feeds: site => site.feeds.filter(isShown),
  View,
})

function View({ data: { datasets }, site }: ViewProps<CatalogueData>) {
  return (
    <>
      <h1>{texts.title}</h1>
      <p>{rich(texts.lead, { link: link('/docs') })}</p>
      <ul class="datasets">
        {datasets.map(dataset => (
          <Card key={dataset.name} path={`/data/${dataset.name}`} title={meaningOf(dataset.title)}>
            <p>{meaningOf(dataset.description)}</p>
            <DatasetFacts dataset={dataset} />
          </Card>
        ))}
      </ul>
      <FeedUpdates feed={site.feeds.find(isShown)} />
    </>
  )
}
