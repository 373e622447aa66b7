import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PROBLEMS, type ProblemCode } from '../../src/errors.ts'
import { problemPath } from '../../src/http/problems.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { openPage } from '../support/pages.ts'
import { build } from '../support/service.ts'

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url))

/** The address of every page of docs/. */
const PAGES = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.md'))
  .map(file => `/docs/${file.replace(/(?:\/?README)?\.md$/, '')}`.replace(/\/$/, ''))

const ALL = [
  ...PAGES,
  ...[
    '/docs/tutorial',
    '/docs/how-to',
    '/docs/reference',
    '/docs/explanation',
    '/docs/api',
    '/problems',
    '/status',
  ],
  ...(Object.keys(PROBLEMS) as ProblemCode[]).map(problemPath),
]
/** What this walks; other pages of the explorer have tests of their own. */
const WALKED = /^\/(docs|problems|status|v1\/datasets|openapi\.json|llms\.txt)/

test('the documentation in the service', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const pages = new Map<string, string>()
  const page = async (url: string): Promise<string> => {
    const known = pages.get(url)
    if (known !== undefined) return known
    const { statusCode, body } = await app.inject(url)
    assert.equal(statusCode, 200, url)
    pages.set(url, body)
    return body
  }

  await t.test('has every page of docs/ at its address', async () => {
    assert.ok(PAGES.length > 60)
    for (const url of PAGES) assert.match(await page(url), /<h1>[^<]+<\/h1>/, url)
  })

  await t.test('has no broken link, and none without its anchor', async () => {
    for (const url of ALL) {
      const body = await page(url)
      for (const [, href = ''] of body.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        const [path = '', anchor] = href.split('#')
        const target = path === '' ? url : path
        if (!target.startsWith('/') || !WALKED.test(target)) continue
        const linked = await page(target.replaceAll('&amp;', '&'))
        if (anchor !== undefined) assert.ok(linked.includes(` id="${anchor}"`), `${url}: ${href}`)
      }
      assert.doesNotMatch(body, /href="[^"]*\.md[#"]/, url)
    }
  })

  await t.test('says the service’s own address to consumers, and this machine’s to operators', async () => {
    assert.match(await page('/docs/tutorial/first-answers'), /curl http:\/\/data\.example\/v1\/toilets/)
    assert.doesNotMatch(await page('/docs/tutorial/first-answers'), /127\.0\.0\.1/)
    assert.match(await page('/docs/how-to/run-with-docker-compose'), /127\.0\.0\.1:8080/)
  })

  await t.test('can be searched without scripts', async () => {
    const found = async (question: string) => {
      const { body } = await app.inject(`/docs?q=${encodeURIComponent(question)}`)
      const [, results = ''] = (body.split('</main>')[0] ?? '').split('aria-label="Search results"')
      return [...results.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href)
    }
    assert.equal((await found('roll back'))[0]?.startsWith('/docs/'), true)
    assert.ok((await found('cursor_expired')).includes('/docs/reference/problems#cursor_expired'))
    assert.equal((await found('notebook'))[0], '/docs/how-to/use-a-notebook')
    assert.equal((await found('notebok'))[0], '/docs/how-to/use-a-notebook')
    assert.ok((await found('QGIS')).includes('/docs/how-to/open-in-qgis'))
    assert.deepEqual(
      (await found('xyzzy')).filter(href => href.startsWith('/docs/')),
      [],
    )
  })

  await t.test('shows a question as text', async () => {
    const { body } = await app.inject(`/docs?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`)
    assert.doesNotMatch(body, /<img/)
    assert.match(body, /&lt;img|&quot;>&lt;img/)
  })

  await t.test('answers what is not there with 404, and leads on', async () => {
    for (const url of ['/docs/how-to/nothing', '/docs/nothing', '/docs/api/nothing', '/problems/nothing']) {
      const { statusCode, body } = await openPage(app, url)
      assert.equal(statusCode, 404, url)
      assert.match(body, /(Page|Problem) not found/, url)
      assert.match(body, /href="\/(docs|problems)"/, url)
    }
  })

  await t.test('has no inline style or script, as the policy asks', async () => {
    for (const url of ALL)
      assert.doesNotMatch(await page(url), / style="|<script(?![^>]*\b(src=|type="application))/, url)
  })

  await t.test('explains each problem with an example of its own kind', async () => {
    for (const [code, { status }] of Object.entries(PROBLEMS)) {
      const body = await page(problemPath(code as ProblemCode))
      const [, main = ''] = body.split('<main')
      assert.match(main, new RegExp(`&quot;code&quot;: &quot;${code}&quot;`), code)
      assert.match(main, new RegExp(`HTTP status ${status}`), code)
      const [, when = '', todo = ''] =
        /HTTP status \d+<\/p>([\s\S]*?)<h2>What to do<\/h2>([\s\S]*?)<h2>An example<\/h2>/.exec(main) ?? []
      for (const text of [when, todo])
        assert.match(text, /^(?:<div class="prose">)?<p>\S[\s\S]{15,}\.\s*<\/p>\s*$/, code)
    }
  })
})
