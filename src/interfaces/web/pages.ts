import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { sendable } from '../../http/response/outcome.ts'
import { tagOf } from '../../http/response/representation.ts'
import { send } from '../../http/response/send.ts'
import { type CatalogueEntry, lastUpdate } from '../catalogue/catalogue.ts'
import { frontPage } from './front-page.ts'
import { PAGE_CSS } from './page.ts'
import { type ParkingPageOptions, parkingPage } from './parking-page.ts'
import { problemPages } from './problem-pages.ts'

interface PagesOptions {
  /** What the page of free spaces shows. */
  readonly parking: () => Omit<ParkingPageOptions, 'synthetic'>
  readonly describe: () => CatalogueEntry[]
  readonly synthetic: boolean
  readonly startedAt: Date
}

/** Adds what people open in a browser: the front page, the documentation, and a page for each kind of problem. */
export async function addPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const { describe, synthetic } = options
  const pages: Page[] = [
    { path: '/', type: HTML, maxAge: 60, content: () => frontPage(describe(), synthetic) },
    {
      path: '/parking',
      type: HTML,
      maxAge: 30,
      content: () => parkingPage({ ...options.parking(), synthetic }),
    },
    { path: '/assets/page.css', type: 'text/css; charset=utf-8', maxAge: 3600, content: () => PAGE_CSS },
    {
      path: '/openapi.json',
      type: 'application/json',
      maxAge: 300,
      content: () => JSON.stringify(app.swagger()),
    },
    ...problemPages(synthetic).map(({ path, html }) => ({
      path,
      type: HTML,
      maxAge: 3600,
      content: () => html,
    })),
  ]
  for (const page of pages) addPage(app, page, options)
  await app.register(swaggerUi, {
    ...{ routePrefix: '/docs', staticCSP: DOCS_POLICY, theme: DOCS_THEME },
    uiHooks: synthetic ? { onRequest: markSynthetic } : {},
  })
}

const markSynthetic: onRequestHookHandler = (_request, reply, done) => {
  reply.header('synthetic-data', 'true')
  done()
}

/** All of it comes from here. Swagger UI's own policy has browsers ask over HTTPS, which a plain server does not speak. */
const DOCS_POLICY = {
  'default-src': "'self'",
  'img-src': ["'self'", 'data:'],
  // Swagger UI sets styles on its elements.
  'style-src': ["'self'", "'unsafe-inline'"],
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** Swagger UI without its bar, which offers to open other documents. */
const DOCS_THEME = {
  title: 'Public Data Service',
  css: [{ filename: 'docs.css', content: '.swagger-ui .topbar { display: none }' }],
}

const HTML = 'text/html; charset=utf-8'

interface Page {
  readonly path: string
  readonly type: string
  readonly maxAge: number
  readonly content: () => string
}

function addPage(app: FastifyInstance, page: Page, { synthetic, startedAt, describe }: PagesOptions): void {
  const { path, type, maxAge, content } = page
  app.get(path, async (request, reply) => {
    const body = Buffer.from(content())
    const tag = tagOf(body.toString())
    const answer = sendable({
      ...{ type, maxAge, synthetic, tag, body, staleIfError: 0 },
      lastModified: lastUpdate(describe(), startedAt),
    })
    return send(reply, await answer.outcome(request.headers))
  })
}
