import { dataLanguage } from '../../address.ts'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { type Failure, isFailure } from '../../parts/failed-request.tsx'
import { FeedUpdates } from '../../parts/feed-updates.tsx'
import { data as texts } from '../../texts/en/data.ts'
import { meaningOf } from '../../texts/meaning.ts'
import { link, rich, text } from '../../texts/rich.tsx'
import { DatasetFacts } from '../catalogue/dataset-facts.tsx'
import { Endpoints } from './endpoints.tsx'
import { Fields } from './fields.tsx'
import { Files, History } from './files.tsx'
import { type DatasetPage, loadDataset } from './load.ts'
import { Releases } from './releases.tsx'

/** One dataset: its files, its addresses in the API, its fields and its releases. */
export const dataset = declarePage<DatasetPage | Failure>({
  path: '/data/:dataset',
  maxAge: 60,
  script: 'dataset',
  load: loadDataset,
  title: data => (isFailure(data) ? data.failed.title : text(texts.titleOf, { title: data.dataset.title })),
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

/** The pages with the records of a dataset. */
const SHOWN_AT: Readonly<Record<string, string>> = {
  vehicles: '/vehicles',
  carparks: '/parking',
  'product-recalls': '/recalls',
}

function View({ data, site }: ViewProps<DatasetPage | Failure>) {
  if (isFailure(data)) return <NoSuchDataset failure={data} />
  const { dataset, releases, files, history = [] } = data
  return (
    <>
      <p class="no-print">
        <a href={to('/data')}>{texts.all}</a>
      </p>
      <h1>{meaningOf(dataset.title)}</h1>
      <p>{meaningOf(dataset.description)}</p>
      <p class="no-print">
        <a href={to(SHOWN_AT[dataset.name] ?? `/map?dataset=${dataset.name}`)}>{texts.showRecords}</a>
      </p>
      <DatasetFacts dataset={dataset} />
      {files !== undefined && <Files files={files} />}
      {history.length > 0 && <History months={history} />}
      <h2>{texts.useApi}</h2>
      <Endpoints endpoints={dataset.endpoints} />
      <FeedUpdates feed={site.feeds.find(({ path }) => to(path).startsWith(`${dataset.path}/`))} />
      <Fields fields={dataset.fields} />
      {releases !== undefined && <Releases releases={releases} dataset={dataset} />}
    </>
  )
}

function NoSuchDataset({ failure: { failed } }: { readonly failure: Failure }) {
  const nearest = failed.errors?.[0]?.nearest
  return (
    <>
      <h1>{texts.notFound}</h1>
      <p lang={dataLanguage}>{failed.detail}</p>
      {nearest !== undefined && <p>{rich(texts.didYouMean, { nearest, link: link(`/data/${nearest}`) })}</p>}
      <p>
        <a href={to('/data')}>{texts.all}</a>
      </p>
    </>
  )
}
