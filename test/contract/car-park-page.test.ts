import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observation } from '../../src/store/store.ts'
import { CARPARKS } from '../support/island.ts'
import { openPage } from '../support/pages.ts'
import { build } from '../support/service.ts'

const TIME = '2024-07-04T12:10:00.000Z'
const now = () => Date.parse(TIME) + 60_000
const MARKUP = '</script><img src=x onerror=alert(1)>'
const [harbour, beach] = CARPARKS
const content = {
  carparks: [{ ...harbour, name: `Harbour ${MARKUP}`, notes: MARKUP }, beach] as object[],
}
const observation = {
  timestamp: TIME,
  entries: [
    { code: 'HARBST', name: `Harbour ${MARKUP}`, spaces: 332, open: true, status: 'good' },
    { code: 'TEST', name: 'TEST', spaces: 100, open: true, status: 'good' },
  ],
}

test('a car park has a page with its count, its day and what it is, and no name in it is markup', async t => {
  const { app, observe } = await build(t, content, { observation, now })
  for (const [minute, spaces] of [
    ['09:35', 400],
    ['09:40', 410],
  ] as const)
    await observe({
      timestamp: `2024-07-04T${minute}:00.000Z`,
      entries: [{ code: 'HARBST', name: 'Harbour', spaces, open: true, status: 'good' }],
    })
  await observe(observation)
  const { statusCode, body } = await app.inject('/parking/harbst')
  assert.equal(statusCode, 200)
  assert.doesNotMatch(body, /<img/)
  assert.match(body, /<strong>332<\/strong>/)
  assert.match(body, /Thursday 4 July at 13:10/)
  assert.match(
    body,
    /606 in total, including 12 for disabled people, 4 for parents with children, 2 with electric/,
  )
  assert.match(body, /phone \(code 05921\) or paycard/)
  assert.match(body, new RegExp(`href="/map\\?place=carparks/${harbour?.id}"`))
  // 09:30 UTC is 10:30 in summer: the table has the first quarter of each hour.
  assert.match(body, /<h2 id="day">This Thursday and a typical one/)
  const { day } = JSON.parse(/<script id="data"[^>]*>(.*?)<\/script>/.exec(body)?.[1] ?? '').live
  assert.deepEqual(
    day.counted.flatMap((spaces: number | null, quarter: number) =>
      spaces === null ? [] : [[quarter, spaces]],
    ),
    [
      [42, 405],
      [52, 332],
    ],
  )
})

test('search engines get a car park as a ParkingFacility', async t => {
  const { app } = await build(t, content, { observation, now })
  const { body } = await app.inject('/parking/HARBST')
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body)?.[1] ?? ''
  const facility = JSON.parse(text)
  assert.deepEqual(
    [facility['@type'], facility.name, facility.url, facility.geo],
    [
      'ParkingFacility',
      `Harbour ${MARKUP}`,
      'http://data.example/parking/HARBST',
      { '@type': 'GeoCoordinates', latitude: 49.17793188, longitude: -2.10985971 },
    ],
  )
  assert.deepEqual(facility.amenityFeature[0], {
    ...{ '@type': 'LocationFeatureSpecification', name: 'Parking spaces', value: 606 },
  })
})

test('a car park without a counter has a page by its id, and what is none has a 404 that leads on', async t => {
  const { app } = await build(t, content, { observation, now })
  const quiet = await app.inject(`/parking/${beach?.id}`)
  assert.equal(quiet.statusCode, 200)
  assert.match(quiet.body, /no live counter/)
  assert.match(quiet.body, /Floods at &quot;spring&quot; tides/)
  for (const code of ['NONE', 'TEST', '%3Cb%3E', '..%2F', '%00']) {
    const { statusCode, body } = await openPage(app, `/parking/${code}`)
    assert.equal(statusCode, 404, code)
    assert.match(body, /Car park not found[\s\S]*href="\/parking"/, code)
    assert.doesNotMatch(body, /<b>/, code)
  }
})

test('a number that cannot be right is neither shown nor drawn', async t => {
  const [entry] = observation.entries
  const impossible = { ...observation, entries: [{ ...entry, spaces: 9000 }] } as Observation
  const { app } = await build(t, content, { observation: impossible, now })
  const { body } = await app.inject('/parking/HARBST')
  assert.match(body, /not known.*The counter gives a number that cannot be right\./)
  assert.doesNotMatch(body.replace(/<script.*?<\/script>/gs, ''), /9000/)
  const { day } = JSON.parse(/<script id="data"[^>]*>(.*?)<\/script>/.exec(body)?.[1] ?? '').live
  assert.deepEqual(new Set(day.counted), new Set([null]))
})
