import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { createHttpApp, type HttpApp } from '../http/http-app.ts'
import { JSON_FORMAT } from '../http/negotiation.ts'
import { createPipeline } from '../http/pipeline.ts'
import { type ErrorLog, problemConverter } from '../http/problems.ts'
import { unkept } from '../http/response.ts'
import { createRouteTable, type Route } from '../http/router.ts'
import { createScheduler } from '../http/scheduler.ts'
import type { SourceStatus } from '../releases/schedule/follow-sources.ts'
import { chain, type MaybePromise } from '../values/promises.ts'
import { createTokenCheck } from './admin-token.ts'
import { type DatasetJournal, journalPage } from './journal-page.ts'
import { PAGE_POLICY } from './operator-page.ts'
import type { Readiness } from './readiness.ts'
import { sourcesPage } from './sources-page.ts'

/** Builds the admin listener: liveness, readiness, metrics, sources and the journal, never on the public port. */
export function buildAdmin(options: {
  /** The metrics in the text format of Prometheus. */
  metrics: () => Promise<string>
  readiness: () => MaybePromise<Readiness>
  sources: () => MaybePromise<readonly SourceStatus[]>
  journals: () => MaybePromise<readonly DatasetJournal[]>
  /** Opens the pages of the journal, which exist only if a token is set. */
  token: string | undefined
  baseUrl: () => string
  log: ErrorLog & Pick<Logger, 'warn'>
}): HttpApp {
  const { metrics, readiness, sources, journals, token, baseUrl, log } = options
  const routes = createRouteTable()
  const get = (path: string, handle: Route['handle']) => routes.add({ path, handle })
  const showSources = () => chain(sources(), each => json(200, each))
  get('/livez', () => json(200, { alive: true }))
  get('/readyz', () => chain(readiness(), state => json(state.ready ? 200 : 503, state)))
  get('/metrics', async () => unkept(200, Registry.PROMETHEUS_CONTENT_TYPE, await metrics()))
  get('/sources.json', showSources)
  get('/sources', ({ headers }) =>
    /\bjson\b/.test(headers.accept ?? '')
      ? showSources()
      : chain(sources(), each => unkept(200, HTML, sourcesPage(each))),
  )
  const isAllowed = token === undefined ? undefined : createTokenCheck(token, log)
  const show: Route['handle'] = async request => {
    const { responseHeaders, params } = request
    if (await isAllowed?.(request)) {
      responseHeaders.push('content-security-policy', PAGE_POLICY)
      return unkept(200, HTML, journalPage(await journals(), params.dataset))
    }
    responseHeaders.push('www-authenticate', 'Basic realm="Public Data Service", charset="UTF-8"')
    return unkept(401, 'text/plain', 'Send the token of ADMIN_TOKEN, as Bearer token or as password.\n')
  }
  if (isAllowed !== undefined) for (const path of ['/journal', '/journal/:dataset']) get(path, show)
  const listener = { scheduler: createScheduler(), clientOf: () => '', baseUrl }
  const handle = createPipeline({
    ...listener,
    routes,
    defaultHeaders: [],
    toProblem: problemConverter(log),
    onResponse: () => {},
  })
  return createHttpApp({ ...listener, handle })
}

const HTML = 'text/html; charset=utf-8'
const json = (status: number, value: object) => unkept(status, JSON_FORMAT.mediaType, JSON.stringify(value))
