import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFIBRILLATORS, ISLAND, TOILETS } from '../support/island.ts'
import { openPage, textOf } from '../support/pages.ts'
import { build, type TestApp } from '../support/service.ts'

const read = async (app: TestApp, url: string) => {
  const { statusCode, headers, body } = await openPage(app, url)
  return { statusCode, headers, body, text: textOf(body.replace(/.*<main/s, '<main')) }
}

test('the page for an emergency has the call first, then the defibrillators of the address', async t => {
  const { app } = await build(t, ISLAND)

  await t.test('no position: the call and a choice of parishes', async () => {
    const { statusCode, body, text } = await read(app, '/emergency')
    assert.equal(statusCode, 200)
    assert.match(body, /<h1>Nearest defibrillator<\/h1><a class="[^"]*" href="tel:999">Call 999<\/a>/)
    assert.match(text, /call 999 or 112 first.*Choose a parish.*Show.*All defibrillators on the map/)
    assert.doesNotMatch(text, /Fire Station/)
  })

  await t.test('a position: the nearest with distance, direction, notes and directions', async () => {
    const { statusCode, text, body } = await read(app, '/emergency?near=49.18,-2.1001')
    assert.equal(statusCode, 200)
    assert.match(
      text,
      /Fire Station 720 m to the west · St\. Helier Ladies side Directions .* of 1 defibrillator is not known/,
    )
    assert.match(body, /openstreetmap\.org\/directions\?to=49\.18%2C-2\.11"/)
  })

  await t.test('each direction has its word', async () => {
    const cases = [
      ['49.17,-2.11', 'north'],
      ['49.17,-2.1253', 'north-east'],
      ['49.18,-2.12', 'east'],
      ['49.19,-2.1253', 'south-east'],
      ['49.19,-2.11', 'south'],
      ['49.19,-2.0947', 'south-west'],
      ['49.18,-2.10', 'west'],
      ['49.17,-2.0947', 'north-west'],
    ]
    for (const [near, word] of cases)
      assert.match((await read(app, `/emergency?near=${near}`)).text, new RegExp(`m to the ${word} ·`), near)
  })

  await t.test('a parish: its defibrillators, those without a position too', async () => {
    assert.match(
      (await read(app, '/emergency?parish=st+mary')).text,
      /Café St\. Mary · exact location not known/,
    )
    assert.match((await read(app, '/emergency?parish=Atlantis')).text, /none here\. Choose another parish/)
  })

  await t.test('no position in `near`: says so, and has the parishes', async () => {
    for (const near of ['x', '49.18', '0,0', '49.18,-2.1,3', '1.2.3,4']) {
      const { statusCode, text } = await read(app, `/emergency?near=${near}`)
      assert.equal(statusCode, 400, near)
      assert.match(text, /Call 999 .* We could not get your location\. Choose a parish\./)
    }
  })
})

test('without a release the page still has the call', async t => {
  const { app } = await build(t, { toilets: TOILETS })
  const { statusCode, text, headers } = await read(app, '/emergency')
  assert.deepEqual([statusCode, headers['retry-after']], [503, '60'])
  assert.match(text, /Call 999 .* The list of defibrillators is not available now\./)
})

test('the page is a shortcut of the app, and the address that people type leads there', async t => {
  const { app } = await build(t, ISLAND)
  const [first] = (await app.inject('/manifest.webmanifest')).json().shortcuts
  assert.deepEqual(first, { name: 'Nearest defibrillator', url: '/emergency' })
  assert.equal((await openPage(app, '/defibrillators')).headers.location, '/emergency')
  assert.match(
    (await openPage(app, '/')).body,
    /<a class="[^"]*" href="\/emergency">Nearest defibrillator<\/a>/,
  )
})

test('on the synthetic island no page has directions to a defibrillator', async t => {
  const { app } = await build(t, ISLAND, { synthetic: true })
  const [located, unlocated] = DEFIBRILLATORS
  for (const url of [
    '/emergency?near=49.18,-2.1001',
    '/emergency?parish=St.+Mary',
    `/places/defibrillators/${located?.id}`,
    `/places/defibrillators/${unlocated?.id}`,
    '/map?dataset=defibrillators',
  ]) {
    const { statusCode, text } = await read(app, url)
    assert.equal(statusCode, 200)
    assert.doesNotMatch(text, /Directions|Search by name|to the west/, url)
  }
  const { body } = await openPage(app, '/emergency?near=49.18,-2.1001')
  assert.match(body, /Never use it to find a defibrillator.*tel:999.*Fire Station/s)
  assert.match((await read(app, `/places/toilets/${TOILETS[0]?.id}`)).text, /Directions/)
})
