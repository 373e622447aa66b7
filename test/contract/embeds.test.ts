import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observation } from '../../src/store/store.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { hrefOf, openPage, textOf } from '../support/pages.ts'
import { buildBehindPrefix, PREFIX } from '../support/prefix-proxy.ts'
import { build } from '../support/service.ts'

const now = () => Date.parse(OBSERVATION.timestamp) + 60_000
const OPTIONS = { observation: OBSERVATION, now, synthetic: true }

const EMBEDS = ['/embed/parking', '/embed/parking/HARBST', '/embed/recalls', '/embed/vehicles?make=ford']
/** Addresses without a page, at which a frame shows why. */
const FAULTY = ['/embed/parking/NOWHERE', '/embed/nothing', '/pt/embed/nothing', '/embed/parking/%zz']

const mainOf = (body: string) => textOf(body.slice(body.indexOf('<body>')))

test('any site may show an embed in a frame, a problem as well, and no other page', async t => {
  const { app } = await build(t, ISLAND, OPTIONS)
  const framing = async (url: string) => {
    const { headers } = await openPage(app, url)
    const [, ancestors] = /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy'])) ?? []
    return [ancestors, headers['x-frame-options']]
  }
  for (const url of [...EMBEDS, ...EMBEDS.map(each => `/pl${each}`), ...FAULTY])
    assert.deepEqual(await framing(url), ['*', undefined], url)
  for (const url of [
    '/',
    '/parking',
    '/pt/parking',
    '/parking/NOWHERE',
    '/embed',
    '/embed.js',
    '/v1/embed/x',
  ])
    assert.deepEqual(await framing(url), ["'none'", 'SAMEORIGIN'], url)
})

test('an embed loads only files of the service, takes no input and sets no cookie', async t => {
  const { app } = await build(t, ISLAND, OPTIONS)
  for (const url of [...EMBEDS, ...FAULTY]) {
    const { headers, body } = await openPage(app, url)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none';.*form-action 'none'/, url)
    assert.doesNotMatch(policy, /unsafe-|https?:|data:|blob:/, url)
    assert.equal(headers['set-cookie'], undefined, url)
    assert.equal(headers['x-content-type-options'], 'nosniff', url)
    assert.doesNotMatch(body, /<form|<input|<header|<nav|rel="manifest"|ld\+json|assets\/shell-/, url)
    assert.match(body, /<meta name="robots" content="noindex"\/>/, url)
    // No other page may be in a frame.
    assert.match(body, /<base target="_blank"\/>/, url)
    for (const [, address] of body.matchAll(/<(?:script|link)[^>]*? (?:src|href)="([^"]*)"/g))
      assert.match(String(address), /^\/assets\//, url)
  }
})

test('an embed says what its page says, whose data it is, from when, and where there is more', async t => {
  const metadata = { title: 'Data of the island', publisher: 'The States' }
  const { app } = await build(t, ISLAND, { ...OPTIONS, metadata, synthetic: false })
  const board = await openPage(app, '/embed/parking')
  assert.match(mainOf(board.body), /^Free parking spaces Counted on Tuesday 29 August at 03:32 \./)
  assert.match(mainOf(board.body), /Harbour Street 332 free of 606/)
  const one = await openPage(app, '/embed/parking/harbst')
  assert.match(
    mainOf(one.body),
    /Harbour Street Short stay 332 free of 606 In an hour: not known.* Pay by phone/,
  )
  assert.match(mainOf(one.body), /Counted on Tuesday 29 August at 03:32 \./)
  const recalls = await openPage(app, '/embed/recalls')
  assert.match(mainOf(recalls.body), /^Product recalls .* Last updated on \d+ \w+ \d{4} \./)
  for (const [{ body }, path] of [
    [board, '/parking'],
    [one, '/parking/HARBST'],
    [recalls, '/recalls'],
  ] as const) {
    assert.match(mainOf(body), /Data: The States · .* More at Data of the island$/)
    assert.ok(body.toLowerCase().includes(`<a href="${path.toLowerCase()}" rel="noopener">more at`), path)
    assert.doesNotMatch(body, /invented/)
  }
  const chart = (await openPage(app, '/embed/vehicles?make=ford')).body
  assert.match(mainOf(chart), /^Vehicles by year first registered Make: ford: \d+ vehicles? /)
  assert.match(mainOf(chart), /Source: The States, \d+ \w+ \d{4}\..* More at Data of the island$/)
  assert.ok(chart.includes('<a href="/vehicles?make=ford" rel="noopener">More at'))
})

test('made-up data is said to be so in every embed, also where there is nothing', async t => {
  const { app } = await build(t, ISLAND, OPTIONS)
  for (const url of [...EMBEDS, ...FAULTY.filter(each => !each.startsWith('/pt/'))])
    assert.match(mainOf((await openPage(app, url)).body), /^Synthetic island: all of this is invented\./, url)
})

test('an embed shows no count that its page would not show', async t => {
  const late = () => now() + 20 * 60_000
  const { app } = await build(t, ISLAND, { ...OPTIONS, now: late })
  for (const url of EMBEDS.slice(0, 2)) {
    const { body } = await openPage(app, url)
    assert.match(
      mainOf(body),
      /Harbour Street (Short stay )?not known There is no new count since 03:32\./,
      url,
    )
    assert.doesNotMatch(body, /<strong>332/, url)
  }
  const none = await build(t, ISLAND, { now })
  for (const url of EMBEDS.slice(0, 2)) {
    const { statusCode, body } = await openPage(none.app, url)
    assert.equal(statusCode, 200, url)
    assert.match(mainOf(body), /^Free parking spaces We have received no counts yet/, url)
  }
})

test('an embed without its car park or its data says so, with its status', async t => {
  const entries: Observation['entries'] = [...OBSERVATION.entries]
  const environment = { UNAVAILABLE_DATASETS: 'product-recalls' }
  const { app } = await build(t, ISLAND, {
    ...OPTIONS,
    environment,
    observation: { ...OBSERVATION, entries },
  })
  // The feed lists the second one, but no release has it.
  for (const code of ['NOWHERE', 'ELSEWH']) {
    const { statusCode, body } = await openPage(app, `/embed/parking/${code}`)
    assert.equal(statusCode, 404)
    assert.match(mainOf(body), /No car park with a live counter has this address\. All car parks/)
    assert.match(body, /<a href="\/parking">All car parks/)
    assert.match(body, /<a href="\/" rel="noopener">More at/)
  }
  const away = await openPage(app, '/embed/recalls')
  assert.deepEqual([away.statusCode, away.headers['retry-after']], [503, '60'])
  assert.match(mainOf(away.body), /taken out of service by the operator/)
  const refused = await openPage(app, '/embed/vehicles?startDate=yesterday')
  assert.equal(refused.statusCode, 400)
  assert.match(mainOf(refused.body), /startDate/)
  const program = await app.inject({ url: '/embed/parking/NOWHERE', headers: { accept: '*/*' } })
  assert.equal(program.json().code, 'NOT_FOUND')
})

test('an embed is in the language of its path, and so is what it links to', async t => {
  const { app } = await build(t, ISLAND, OPTIONS)
  const { body } = await openPage(app, '/pt/embed/parking/HARBST')
  assert.match(body, /<html lang="pt"/)
  assert.match(mainOf(body), /^Ilha fictícia: tudo isto é inventado\. .* Harbour Street .* 332 livres de 606/)
  assert.match(body, /<a href="\/pt\/parking\/HARBST" rel="noopener">/)
  assert.match((await openPage(app, '/fr/embed/recalls')).body, /<a href="\/fr\/recalls" rel="noopener">/)
})

test('no embed is in the sitemap', async t => {
  const { app } = await build(t, ISLAND, OPTIONS)
  assert.doesNotMatch((await app.inject('/sitemap.xml')).body, /\/embed\//)
})

test('under a path, the snippet of a page and all that an embed loads have the path', async t => {
  const { base, app } = await buildBehindPrefix(t, ISLAND, OPTIONS)
  for (const path of EMBEDS) {
    const { body } = await openPage(app, path)
    const links = [...body.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, link = '']) => hrefOf(link))
    assert.deepEqual(
      links.filter(link => !link.startsWith(`${PREFIX}/`) && !link.startsWith('http')),
      [],
      path,
    )
  }
  for (const path of ['/parking', '/parking/HARBST', '/recalls', '/pt/recalls']) {
    const snippet = textOf(
      /<details class="embed-code.*?<pre.*?<\/pre>/s.exec((await openPage(app, path)).body)?.[0] ?? '',
    )
    const prefix = path.startsWith('/pt') ? '/pt' : ''
    const embed = `${base}${prefix}/embed${path.slice(prefix.length)}`
    assert.match(snippet, new RegExp(` <iframe src="${embed}" title="[^"]+" width="100%" height="\\d+"`))
    assert.ok(snippet.endsWith(`<script async src="${base}/embed.js"></script>`), snippet)
    assert.equal((await fetch(embed)).status, 200)
    assert.match(String((await fetch(`${base}/embed.js`)).headers.get('content-type')), /^text\/javascript/)
  }
})
