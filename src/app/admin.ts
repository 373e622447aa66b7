import type { Registry } from 'prom-client'
import { createHttpApp, type HttpApp } from '../http/http-app.ts'
import { JSON_FORMAT } from '../http/negotiation.ts'
import { createPipeline } from '../http/pipeline.ts'
import { type ErrorLog, problemConverter } from '../http/problems.ts'
import { unkept } from '../http/response.ts'
import { createRouteTable, type Route } from '../http/router.ts'
import { createScheduler } from '../http/scheduler.ts'
import type { SourceStatus } from '../releases/schedule/follow-sources.ts'
import type { Readiness } from './readiness.ts'
import { sourcesPage } from './sources-page.ts'

/** Builds the admin listener: liveness, readiness, metrics and sources, never on the public port. */
export function buildAdmin(options: {
  registry: Registry
  readiness: () => Readiness
  sources: () => readonly SourceStatus[]
  baseUrl: () => string
  log: ErrorLog
}): HttpApp {
  const { registry, readiness, sources, baseUrl, log } = options
  const routes = createRouteTable()
  const get = (path: string, handle: Route['handle']) => routes.add({ path, handle })
  const showSources = () => json(200, sources())
  get('/livez', () => json(200, { alive: true }))
  get('/readyz', () => {
    const state = readiness()
    return json(state.ready ? 200 : 503, state)
  })
  get('/metrics', async () => unkept(200, registry.contentType, await registry.metrics()))
  get('/sources.json', showSources)
  get('/sources', ({ headers }) =>
    /\bjson\b/.test(headers.accept ?? '')
      ? showSources()
      : unkept(200, 'text/html; charset=utf-8', sourcesPage(sources())),
  )
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

const json = (status: number, value: object) => unkept(status, JSON_FORMAT.mediaType, JSON.stringify(value))
