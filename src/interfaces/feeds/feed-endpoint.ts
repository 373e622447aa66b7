import type { Metadata } from '../../datasets/metadata.ts'
import type { Representation } from '../../http/response/representation.ts'
import type { Endpoint } from '../../http/routing/declaration.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import { chain, type MaybePromise } from '../../values/promises.ts'
import { ATOM_TYPE, writeAtom } from './atom.ts'
import type { Feed, FeedFormat } from './feed.ts'
import { JSON_FEED_TYPE, JsonFeed, writeJsonFeed } from './json-feed.ts'

/** What all feeds say of the service. */
export interface FeedSite {
  /** The public base address; read at each use. */
  readonly baseUrl: () => string
  readonly metadata: Metadata
}

interface FeedEndpoint
  extends Pick<Endpoint<never>, 'path' | 'operationId' | 'tag' | 'summary' | 'cacheVersion'> {
  /** Describes the response in a format; the feed itself is made only if it is needed. */
  readonly respond: (
    format: FeedFormat,
  ) => MaybePromise<Omit<Representation, 'body'> & { readonly make: () => MaybePromise<Feed> }>
}

const WRITERS: Readonly<Record<FeedFormat, (feed: Feed) => string>> = {
  atom: writeAtom,
  json: writeJsonFeed,
}

/** Adds a feed: `{path}.atom` and `{path}.json`; at the path itself the Accept header selects one of them. */
export function addFeedEndpoint(router: Router, { respond, ...endpoint }: FeedEndpoint): void {
  addEndpoint(router, {
    ...endpoint,
    parameters: {},
    response: JsonFeed,
    mediaType: JSON_FEED_TYPE,
    formats: [{ name: 'atom', mediaType: ATOM_TYPE, description: 'An Atom feed (RFC 4287).' }],
    respond({ format: name }) {
      const format = name === 'atom' ? 'atom' : 'json'
      return chain(respond(format), ({ make, ...about }) => ({
        ...about,
        body: () => chain(make(), feed => ({ body: Buffer.from(WRITERS[format](feed)) })),
      }))
    },
  })
}

/** The absolute addresses of a feed. */
export const feedAddresses = (baseUrl: string, path: string): Feed['self'] => ({
  atom: addressOf(baseUrl, `${path}.atom`),
  json: addressOf(baseUrl, `${path}.json`),
})
