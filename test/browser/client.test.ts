import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { NO_CHROMIUM, show, startChromium } from '../support/chromium.ts'
import { installClient } from '../support/client-package.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { startUpstream } from '../support/misbehaving-upstream.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

const PAGE = `<!doctype html><title>A page of another origin</title><link rel="icon" href="data:,">
<script type="importmap">{"imports": {
  "public-data-client": "/public-data-client/dist/index.js",
  "openapi-fetch": "/openapi-fetch/dist/index.mjs"
}}</script>`

/** What the page runs; it gives what it has found. */
const script = (baseUrl: string) => `(async () => {
  const { createClient, ProblemError } = await import('public-data-client')
  const client = createClient({ baseUrl: ${JSON.stringify(baseUrl)} })
  const { data } = await client.GET('/v1/vehicles', { params: { query: { make: 'ford', fields: ['model'] } } })
  const problem = await client.GET('/v1/toilets/{id}', { params: { path: { id: 'x' } } }).catch(error => error)
  for await (const { event, data: live } of client.events())
    return [data.results, problem instanceof ProblemError && problem.code, event, live.results.length]
})()`

test('a page of another origin uses the client as it is installed', { skip: NO_CHROMIUM }, async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const { folder } = await installClient(t)
  const site = await startUpstream(({ url = '/' }, response) => {
    const isScript = /\.m?js$/.test(url)
    response
      .writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      .end(isScript ? readFileSync(join(folder, 'node_modules', url)) : PAGE)
  })
  t.after(() => site.close())
  const { page } = await show(t, await startChromium(t), new URL(site.url).origin)
  const found = await page.evaluate(script(origin))
  assert.deepEqual(found, [[{ model: 'FIESTA' }, { model: 'FOCUS' }], 'NOT_FOUND', 'snapshot', 2])
})
