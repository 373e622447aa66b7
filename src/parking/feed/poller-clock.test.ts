import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Readings, said, setUpPoller } from '../../../test/support/feed-poller-setup.ts'
import { answers, entry, hangs, payload } from '../../../test/support/misbehaving-upstream.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

interface Scene {
  readonly begin: string
  /** The time text of a reading taken at this instant. */
  readonly words?: (takenAt: number) => string
  readonly readings?: Readings
}

/**
 * A feed that takes a reading every five minutes, ten seconds before it is polled, each with another count. After every
 * poll the newest count must be served, and the timestamp must not be earlier than any before.
 */
async function setUpScene(t: TestContext, { begin, words = said, readings = new Readings() }: Scene) {
  const setup = await setUpPoller(t, hangs, { intervalSeconds: 300, readings })
  const { upstream, clock, poller } = setup
  clock.time = Date.parse(begin)
  const scene = { taken: 0, words }
  let sent = 0
  upstream.behaviour = (request, response) => {
    scene.taken = clock.time - 10_000
    answers(payload([entry('A', ++sent)], scene.words(scene.taken)))(request, response)
  }
  let polled = 0
  let last = ''
  /** Polls, and returns the difference of the served timestamp from the reading's true time, in minutes. */
  const poll = async () => {
    await setup.polls(++polled)
    const { timestamp, entries } = poller.latest() ?? assert.fail('nothing is served')
    assert.equal(entries[0]?.spaces, sent, `the newest count at ${clock.now().toISOString()}`)
    assert.ok(timestamp >= last, `${timestamp} is not before ${last}`)
    last = timestamp
    const offMinutes = (Date.parse(timestamp) - scene.taken) / MINUTE
    return { off: offMinutes, clock: poller.health().clock }
  }
  const warnings = () => setup.lines.flatMap(line => (line.event === 'feed-warnings' ? [line.warnings] : []))
  await poller.start()
  return { ...setup, poll, scene, warnings }
}

const SHIFTS = [
  ['five minutes', 5 * MINUTE],
  ['a day', DAY],
] as const

const RIGHT = { off: 0, clock: 'ok' }

for (const [what, shift] of SHIFTS)
  test(`clock: the machine's is set ahead by ${what}: the feed's times are served as they are`, async t => {
    const { poll, clock } = await setUpScene(t, { begin: '2024-02-04T12:00:30Z' })
    await poll()
    clock.wrongBy = shift
    for (let polls = 0; polls < 4; polls++) assert.deepEqual(await poll(), RIGHT)
    clock.wrongBy = 0
    assert.deepEqual(await poll(), RIGHT)
  })

for (const [what, shift] of SHIFTS)
  test(`clock: the machine's is set back by ${what}: counts stay fresh, the timestamp does not go back`, async t => {
    const readings = new Readings()
    const { poll, clock, poller, warnings } = await setUpScene(t, { begin: '2024-02-04T12:00:30Z', readings })
    await poll()
    const before = await poll()
    assert.deepEqual(before, RIGHT)
    clock.wrongBy = -shift
    for (let polls = 1; polls <= 4; polls++) {
      const { off, ...flags } = await poll()
      assert.deepEqual(flags, { clock: 'ahead' })
      // The served timestamp stays until the machine's clock has reached it.
      assert.equal(off, Math.max(-5 * polls, (10_000 - shift) / MINUTE))
    }
    assert.equal(warnings().length, 1)
    assert.match(String(warnings()[0]), /lies in the future/)
    await poller.stop()

    const again = await setUpScene(t, { begin: new Date(clock.time).toISOString(), readings })
    again.clock.wrongBy = -shift
    const { off, ...flags } = await again.poll()
    assert.deepEqual(flags, { clock: 'ahead' })
    assert.ok(off <= 0)
    again.clock.wrongBy = 0
    assert.deepEqual(await again.poll(), RIGHT)
  })

test('clock: two minutes between the clocks are allowed', async t => {
  const { poll, clock } = await setUpScene(t, { begin: '2024-02-04T12:00:30Z' })
  for (const wrongBy of [-2 * MINUTE, 2 * MINUTE]) {
    clock.wrongBy = wrongBy
    assert.deepEqual(await poll(), RIGHT)
  }
})

test('clock: a feed that does not know summer time: counts stay fresh; its times are served and flagged', async t => {
  const winterTime = (takenAt: number) => said(takenAt, 'UTC')
  const { poll, poller, clock, warnings, readings } = await setUpScene(t, {
    begin: '2024-03-31T00:30:10Z',
    words: winterTime,
  })
  while (clock.time < Date.parse('2024-03-31T00:55Z')) assert.deepEqual(await poll(), RIGHT)
  // Its time text is in the gap of spring.
  while (clock.time < Date.parse('2024-03-31T01:55Z')) {
    const { off, ...flags } = await poll()
    assert.deepEqual(flags, { clock: 'unreadable' })
    assert.equal(off, 10_000 / MINUTE)
  }
  // Then its times are an hour old. The last timestamp is kept until they have caught up.
  const kept = poller.latest()?.timestamp
  while (clock.time < Date.parse('2024-03-31T02:55Z')) {
    await poll()
    assert.equal(poller.latest()?.timestamp, kept)
  }
  for (let polls = 0; polls < 4; polls++) assert.deepEqual(await poll(), { off: -60, clock: 'behind' })
  assert.deepEqual(
    warnings().map(texts => String(texts).replace(/".*"/, '…')),
    [
      "the time of the fetch is used: the feed's time … is not a time",
      "the feed's clock seems to be behind this machine's (it may ignore summer time): it shows …",
    ],
  )
  const saved = readings.saved.map(({ timestamp }) => timestamp)
  assert.deepEqual(saved, [...new Set(saved)].sort())
})

test('clock: a feed that keeps summer time in winter: the time of the fetch, flagged, until it is corrected', async t => {
  const summerTime = (takenAt: number) => said(takenAt, 'Etc/GMT-1')
  const { poll, clock, scene, warnings } = await setUpScene(t, {
    begin: '2024-10-27T00:00:10Z',
    words: summerTime,
  })
  while (clock.time < Date.parse('2024-10-27T00:55Z')) assert.deepEqual(await poll(), RIGHT)
  while (clock.time < Date.parse('2024-10-27T03:00Z'))
    assert.deepEqual(await poll(), { off: 10_000 / MINUTE, clock: 'ahead' })
  scene.words = said
  assert.deepEqual(await poll(), RIGHT)
  assert.equal(warnings().length, 1)
})

test('clock: a single unreadable time text does not delay anything', async t => {
  const late = (takenAt: number) => said(takenAt - 8 * MINUTE)
  const begin = '2024-02-04T12:00:30Z'
  const { poll, poller, scene, warnings } = await setUpScene(t, { begin, words: late })
  assert.deepEqual(await poll(), { off: -8, clock: 'ok' })
  scene.words = () => 'This information was updated just now'
  assert.deepEqual(await poll(), { off: 10_000 / MINUTE, clock: 'unreadable' })
  assert.match(String(warnings()), /"This information was updated just now" is not a time/)
  scene.words = late
  const kept = poller.latest()?.timestamp
  await poll()
  assert.equal(poller.latest()?.timestamp, kept)
  assert.deepEqual(await poll(), { off: -8, clock: 'ok' })
})
