import { declarePage, to, type ViewProps } from '../../page.ts'
import { type Failure, isFailure } from '../../parts/failed-request.tsx'
import { FeedLinks } from '../../parts/feed-links.tsx'
import { DatasetFacts } from '../catalogue/dataset-facts.tsx'
import { Endpoints } from './endpoints.tsx'
import { Fields } from './fields.tsx'
import { Files } from './files.tsx'
import { type DatasetPage, loadDataset } from './load.ts'
import { Releases } from './releases.tsx'

/** One dataset: what its records hold, its releases, its files, and how to get it by the API. */
export const dataset = declarePage<DatasetPage | Failure>({
  path: '/data/:dataset',
  maxAge: 60,
  script: 'dataset',
  load: loadDataset,
  title: data => (isFailure(data) ? data.failed.title : `${data.dataset.title}: data`),
  description: data => (isFailure(data) ? data.failed.detail : data.dataset.description),
  status: data => (isFailure(data) ? data.failed.status : 200),
  addresses: async get => {
    const { results } = await get<{ results: readonly { name: string }[] }>('/v1/datasets')
    return results.map(({ name }) => `/data/${name}`)
  },
  structured: data => (isFailure(data) ? undefined : data.structured),
  feeds: site => site.feeds,
  View,
})

/** Where people look at the records themselves. */
const SHOWN_AT: Readonly<Record<string, string>> = {
  vehicles: '/vehicles',
  carparks: '/parking',
  'product-recalls': '/recalls',
}

function View({ data, site }: ViewProps<DatasetPage | Failure>) {
  if (isFailure(data)) return <NoSuchDataset failure={data} />
  const { dataset, releases, files } = data
  const feed = site.feeds.find(({ path }) => to(path).startsWith(`${dataset.path}/`))
  return (
    <>
      <p class="no-print">
        <a href={to('/data')}>All data</a>
      </p>
      <h1>{dataset.title}</h1>
      <p>{dataset.description}</p>
      <p class="no-print">
        <a href={to(SHOWN_AT[dataset.name] ?? `/map?dataset=${dataset.name}`)}>Look at the records</a>
      </p>
      <DatasetFacts dataset={dataset} />
      {files !== undefined && <Files files={files} />}
      <h2>By the API</h2>
      <Endpoints endpoints={dataset.endpoints} />
      {feed !== undefined && (
        <p>
          Hear of new records: <FeedLinks feed={feed} />
        </p>
      )}
      <Fields fields={dataset.fields} />
      {releases !== undefined && <Releases releases={releases} dataset={dataset} />}
    </>
  )
}

function NoSuchDataset({ failure: { failed } }: { readonly failure: Failure }) {
  const nearest = failed.errors?.[0]?.nearest
  return (
    <>
      <h1>No such dataset</h1>
      <p>{failed.detail}</p>
      {nearest !== undefined && (
        <p>
          Did you mean <a href={to(`/data/${nearest}`)}>{nearest}</a>?
        </p>
      )}
      <p>
        <a href={to('/data')}>All data</a>
      </p>
    </>
  )
}
