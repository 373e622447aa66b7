import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { CatalogueEntry } from '../catalogue.ts'
import { frontPage } from './front-page.ts'
import { PAGE_CSS } from './page.ts'
import { problemPages } from './problem-pages.ts'

interface PagesOptions {
  readonly describe: () => CatalogueEntry[]
  readonly synthetic: boolean
}

/** Adds what people open in a browser: the front page, the documentation, and a page for each kind of problem. */
export async function addPages(app: FastifyInstance, { describe, synthetic }: PagesOptions): Promise<void> {
  await app.register(async pages => {
    // Data tells by its own release; pages tell by the kind of installation.
    pages.addHook('onRequest', async (_request, reply) => {
      if (synthetic) reply.header('synthetic-data', 'true')
    })
    addPage(pages, { path: '/', type: HTML, maxAge: 60, content: () => frontPage(describe(), synthetic) })
    addPage(pages, {
      path: '/assets/page.css',
      type: 'text/css; charset=utf-8',
      maxAge: 3600,
      content: () => PAGE_CSS,
    })
    addPage(pages, {
      path: '/openapi.json',
      type: 'application/json',
      maxAge: 300,
      content: () => JSON.stringify(app.swagger()),
    })
    for (const { path, html } of problemPages(synthetic))
      addPage(pages, { path, type: HTML, maxAge: 3600, content: () => html })
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      theme: { title: 'Public Data Service' },
    })
  })
}

const HTML = 'text/html; charset=utf-8'

interface Page {
  readonly path: string
  readonly type: string
  readonly maxAge: number
  readonly content: () => string
}

function addPage(app: FastifyInstance, { path, type, maxAge, content }: Page): void {
  app.get(path, async (_request, reply) => {
    reply.type(type).header('cache-control', `public, max-age=${maxAge}`)
    return content()
  })
}
