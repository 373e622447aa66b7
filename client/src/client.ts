import createFetchClient, {
  type ClientPathsWithMethod,
  type Client as FetchClient,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch'
import { followLiveEvents, type LiveEvent } from './live-events.ts'
import { ProblemError } from './problem-error.ts'
import { type Wait, waitByTimer, withRetries } from './retry.ts'
import type { paths } from './schema.ts'

export interface ClientOptions {
  /** The address of the service, such as `https://data.example`. */
  readonly baseUrl: string
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** How often a request is sent again after a temporary failure. Default: 3. */
  readonly retries?: number
  /** Ends every call and stream of this client. */
  readonly signal?: AbortSignal
  /** Replaces timers, for tests. */
  readonly wait?: Wait
}

type Json = 'application/json'
type Path = ClientPathsWithMethod<FetchClient<paths, Json>, 'get'>
type Get<P extends Path> = paths[P]['get']
type Init<P extends Path> = MaybeOptionalInit<paths[P], 'get'>

/** A successful answer. Errors are thrown. */
export interface Answer<Data> {
  readonly data: Data
  /** For the headers: the body has been read. */
  readonly response: Response
}

type DataOf<P extends Path, I = unknown> = Extract<FetchResponse<Get<P>, I, Json>, { error?: never }>['data']

type QueryOf<P extends Path> = Get<P> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never

/** The paths of lists with pages by cursor. */
export type PagedPath = {
  [P in Path]: DataOf<P> extends { pagination: { nextCursor?: string | null }; results: unknown[] }
    ? P
    : never
}[Path]

/** The query of a list. The client itself selects the pages. */
export type ListQuery<P extends PagedPath> = Omit<QueryOf<P>, 'cursor' | 'page'>

/** One page of a list. */
export type Page<P extends PagedPath> = DataOf<P>

/** One record of a list. */
export type ListRecord<P extends PagedPath> = Page<P> extends { results: (infer R)[] } ? R : never

export interface CallOptions {
  /** Ends this call or stream. */
  readonly signal?: AbortSignal
}

/** A client of one service. */
export interface Client {
  /** Requests a path with its parameters. Throws ProblemError for every error of the service. */
  GET<P extends Path, I extends Init<P>>(
    path: P,
    ...init: undefined extends I ? [I?] : [I]
  ): Promise<Answer<DataOf<P, I>>>
  /** Reads a list page by page. All pages belong to one release. */
  pages<P extends PagedPath>(
    path: P,
    query?: ListQuery<P>,
    options?: CallOptions,
  ): AsyncGenerator<Page<P>, void>
  /** Reads a list record by record. All records belong to one release. */
  records<P extends PagedPath>(
    path: P,
    query?: ListQuery<P>,
    options?: CallOptions,
  ): AsyncGenerator<ListRecord<P>, void>
  /** Follows live spaces until the signal is aborted: first all car parks, then changes. Reconnects by itself. */
  events(options?: CallOptions): AsyncGenerator<LiveEvent, void>
}

/** Few requests for the whole register, and pages that fit into memory anywhere. */
const PAGE_LENGTH = 1000

/** The time of three comments, which the service sends while nothing changes. */
const SILENCE_MS = 45_000

/** Makes a client of the service at an address, without sending a request. */
export function createClient(options: ClientOptions): Client {
  const { fetch = globalThis.fetch, retries = 3, wait = waitByTimer } = options
  // An invalid address throws here, not at the first request.
  const baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '')
  const http = createFetchClient<paths, Json>({
    baseUrl,
    fetch: request => fetch(request),
    querySerializer: { array: { style: 'form', explode: false } },
  })
  const signalOf = ({ signal }: { readonly signal?: AbortSignal | null | undefined }) => {
    const signals = [options.signal, signal].filter(signal => signal != null)
    return signals.length > 1 ? AbortSignal.any(signals) : signals[0]
  }

  async function get(path: string, init: { signal?: AbortSignal | null } = {}): Promise<Answer<unknown>> {
    const signal = signalOf(init)
    const attempt = async () => {
      const { data, error, response } = await http.GET(path as never, { ...init, signal } as never)
      if (!(response as Response).ok) throw new ProblemError(response, error)
      return { data, response }
    }
    return withRetries(attempt, { retries, wait, signal })
  }

  async function* pages(path: string, query: object = {}, call: CallOptions = {}) {
    for (let cursor: string | null = '*'; cursor !== null; ) {
      const params = { query: { limit: PAGE_LENGTH, ...query, cursor } }
      const { data } = await get(path, { params, ...call } as object)
      const page = data as Page<PagedPath>
      yield page
      cursor = page.pagination.nextCursor ?? null
    }
  }

  async function* records(path: string, query?: object, call?: CallOptions) {
    for await (const { results } of pages(path, query, call)) yield* results
  }

  return {
    GET: get,
    pages,
    records,
    events: (call = {}) =>
      followLiveEvents({
        url: `${baseUrl}/v1/carparks/live-spaces/stream`,
        ...{ fetch, wait, signal: signalOf(call), silenceMs: SILENCE_MS },
      }),
  } as Client
}
