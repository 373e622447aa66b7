import { v5 } from 'uuid'
import type { Dataset, News, NewsDeclaration, ServedDataset } from '../../datasets/dataset.ts'
import type { Metadata } from '../../datasets/metadata.ts'
import { describeOrigin, originOf } from '../../datasets/origin.ts'
import { describeRelease } from '../../datasets/release-representation.ts'
import { addEndpoint, type Endpoint } from '../../http/endpoint.ts'
import type { Representation } from '../../http/representation.ts'
import type { Router } from '../../http/router.ts'
import type { StoredRecord } from '../../query/query.ts'
import { storedKey } from '../../releases/import/identity.ts'
import { DamagedReleaseError, type Release } from '../../store/store.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import { type Html, html } from '../../values/html.ts'
import { counted, figure } from '../../values/numbers.ts'
import { DAY_S } from '../../values/time-units.ts'
import { NEWS_MAX_AGE_S } from '../changes/changes-routes.ts'
import type { FeedLink } from '../web/explorer.ts'
import {
  ATOM_TYPE,
  type Feed,
  type FeedEntry,
  JSON_FEED_TYPE,
  JsonFeed,
  writeAtom,
  writeJsonFeed,
} from './feed-formats.ts'
import { feedOf, RELEASES_FEED } from './feed-links.ts'

/** The namespace of all entries. Never change it: feed readers would show everything as new. */
const NAMESPACE = '0a9d1c34-6f0e-4f6b-8c55-3c1f5f3f8a1e'

/** The id of an entry (RFC 4287 4.2.6): the same names give the same id, wherever the service is. */
const entryId = (...names: readonly string[]): string => `urn:uuid:${v5(names.join('\n'), NAMESPACE)}`

/** The facts about the service in all feeds. */
interface FeedSite {
  /** The public base address; read at each use. */
  readonly baseUrl: () => string
  readonly metadata: Metadata
}

interface FeedEndpoint
  extends Pick<Endpoint<never>, 'path' | 'operationId' | 'tag' | 'summary' | 'cacheVersion'> {
  /** Describes the response in a format; `make` runs only if the feed itself is needed. */
  readonly respond: (
    format: string,
  ) => Omit<Representation, 'body'> & { readonly make: () => Promise<Omit<Feed, 'self' | 'updated'>> }
}

/** Adds a feed: `{path}.atom` and `{path}.json`; at the path itself, the Accept header selects the format. */
function addFeedEndpoint(
  router: Router,
  { baseUrl }: FeedSite,
  { respond, ...endpoint }: FeedEndpoint,
): void {
  addEndpoint(router, {
    ...endpoint,
    parameters: {},
    response: JsonFeed,
    mediaType: JSON_FEED_TYPE,
    formats: [{ name: 'atom', mediaType: ATOM_TYPE, description: 'An Atom feed (RFC 4287).' }],
    respond({ format }) {
      const { make, ...about } = respond(format)
      const write = format === 'atom' ? writeAtom : writeJsonFeed
      return {
        ...about,
        async body() {
          const self = addressOf(baseUrl(), `${endpoint.path}.${format}`)
          const text = write({ ...(await make()), self, updated: about.lastModified })
          return { body: Buffer.from(text) }
        },
      }
    },
  })
}

/** Adds the feed of all datasets' releases, with an entry for each release and its number of changes. */
function addReleasesFeed(router: Router, contexts: readonly ServedDataset[], site: FeedSite): void {
  const { path, title } = RELEASES_FEED
  addFeedEndpoint(router, site, {
    path,
    operationId: 'feedOfReleases',
    tag: 'catalogue',
    summary: 'The releases of all datasets as a feed, newest first',
    respond: () => ({
      ...aboutAll(contexts),
      async make() {
        const base = site.baseUrl()
        const entries = await Promise.all(contexts.map(context => entriesOf(context, base)))
        return {
          id: entryId('releases'),
          title,
          description: 'What is published: an entry for each release, with the number of changed records.',
          home: addressOf(base, '/data'),
          author: site.metadata.title,
          entries: entries.flat().sort((one, other) => other.published.getTime() - one.published.getTime()),
        }
      },
    }),
  })
}

/**
 * Without a tag, so that it is a hash of the body: another instance may have read the lists before the next release was
 * published.
 */
function aboutAll(contexts: readonly ServedDataset[]): Omit<Representation, 'body'> {
  const served = contexts.flatMap(({ release }) => release() ?? [])
  const updates = served.map(({ currentSince, publishedAt }) => Date.parse(currentSince ?? publishedAt))
  return {
    lastModified: new Date(Math.max(0, ...updates)),
    maxAge: NEWS_MAX_AGE_S,
    staleIfError: DAY_S,
    synthetic: served.some(({ synthetic }) => synthetic),
  }
}

async function entriesOf({ dataset, past, release: served }: ServedDataset, base: string) {
  const kept = await past.kept()
  return kept.map((release, index) => {
    const before = kept[index + 1]
    const about =
      before === undefined
        ? `/v1/datasets/${dataset.name}/releases`
        : `${dataset.path}/changes?since=${before.number}`
    return releaseEntry(release, dataset, served(), addressOf(base, about))
  })
}

function releaseEntry(
  release: Release,
  dataset: Dataset,
  served: Release | undefined,
  url: string,
): FeedEntry {
  const { number, hash, rows, publishedAt, changes } = release
  const published = new Date(publishedAt)
  const { added, changed, removed } = changes
  const counts = `${counted(rows, 'record')}: ${figure(added)} added, ${figure(changed)} changed, ${figure(removed)} removed.`
  const isWithdrawn = served !== undefined && served.number < number
  return {
    id: entryId('releases', dataset.name, String(number), hash),
    title: marked(`${dataset.title}: release ${number}`, release),
    url,
    published,
    updated: isWithdrawn ? new Date(served.currentSince ?? publishedAt) : published,
    summary: isWithdrawn ? `${counts} Withdrawn: release ${served.number} is served instead.` : counts,
    tags: [dataset.name],
  }
}

/** The most records in a feed: the newest. */
const MOST_ENTRIES = 100

/** Adds the feed of a dataset whose records are news. */
function addRecordsFeed(router: Router, context: ServedDataset, site: FeedSite): void {
  const { dataset } = context
  const { name, title, description, news } = dataset
  const link = feedOf(dataset)
  if (news === undefined || link === undefined) return
  addFeedEndpoint(router, site, {
    path: link.path,
    operationId: news.operationId,
    tag: name,
    summary: news.summary,
    cacheVersion: context.release,
    respond(format) {
      const { release, collection } = context.snapshot()
      const base = site.baseUrl()
      const origin = originOf(site.metadata, release)
      const key = JSON.stringify([link.path, format, base, origin])
      return {
        ...describeRelease(release, NEWS_MAX_AGE_S, key),
        async make() {
          const sort = [{ field: news.date, direction: 'descending' }] as const
          const { batches } = await collection.execute({ sort, limit: MOST_ENTRIES })
          const changed = await changeTimes(context, release)
          const entries: FeedEntry[] = []
          for await (const batch of batches())
            for (const record of batch.records())
              entries.push(recordEntry(record, { dataset, news, release, changed, base }))
          return {
            id: entryId(name),
            title: marked(title, release),
            description,
            home: addressOf(base, news.page),
            author: origin.publisher ?? site.metadata.title,
            rights: describeOrigin(origin),
            entries,
          }
        },
      }
    },
  })
}

/** When records last changed in the kept releases, up to the served one, by the keys of the records. */
async function changeTimes({ past }: ServedDataset, served: Release): Promise<ReadonlyMap<string, Date>> {
  const releases = (await past.kept()).filter(({ number }) => number <= served.number).reverse()
  const times = new Map<string, Date>()
  for (const [index, to] of releases.entries()) {
    const from = releases[index - 1]
    if (from === undefined) continue
    const comparing = past.compare({ from, to }, async differences => {
      for await (const { key } of differences.changed()) times.set(key, new Date(to.publishedAt))
    })
    // If an old release cannot be read, its changes stay unknown.
    await comparing.catch((error: unknown) => {
      if (!(error instanceof DamagedReleaseError)) throw error
    })
  }
  return times
}

/** In a feed reader, only the title can show that a piece of news is invented. */
const marked = (title: string, { synthetic }: Pick<Release, 'synthetic'>): string =>
  synthetic ? `[Invented] ${title}` : title

interface Context {
  readonly dataset: Dataset
  readonly news: NewsDeclaration
  readonly release: Release
  readonly changed: ReadonlyMap<string, Date>
  readonly base: string
}

function recordEntry(record: StoredRecord, { dataset, news, release, changed, base }: Context): FeedEntry {
  const key = storedKey(dataset)(record)
  const published = new Date(String(record[news.date]))
  const { title, summary, url, image, tags, facts, html } = news.describe(record)
  const about = { summary, image, facts: facts.filter(([, value]) => value !== ''), html }
  return {
    id: entryId(dataset.name, key),
    title: marked(title, release),
    url: url || addressOf(base, `${dataset.path}/${encodeURIComponent(key)}`),
    published,
    updated: changed.get(key) ?? published,
    summary,
    tags,
    image: image || undefined,
    html: contentOf(about).safe,
  }
}

function contentOf({ summary, image, facts, html: more }: Omit<News, 'title' | 'url' | 'tags'>): Html {
  const picture = image === '' ? html`` : html`<p><img src="${image}" alt=""></p>`
  const listed = facts.map(([label, value]) => html`<li>${label}: ${value}</li>`)
  const list = facts.length === 0 ? html`` : html`<ul>${listed}</ul>`
  return html`<p><strong>${summary}</strong></p>${picture}${list}${{ safe: more }}`
}

/** Adds all feeds: of records that are news, and of the releases of all datasets. Returns the links to the feeds. */
export function addFeeds(
  router: Router,
  contexts: readonly ServedDataset[],
  site: FeedSite,
): readonly FeedLink[] {
  for (const context of contexts) addRecordsFeed(router, context, site)
  addReleasesFeed(router, contexts, site)
  return [...contexts.flatMap(({ dataset }) => feedOf(dataset) ?? []), RELEASES_FEED]
}
