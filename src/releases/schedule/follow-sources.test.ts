import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { FakeClock } from '../../../test/support/feed-poller-setup.ts'
import { KNOWN, TOILETS, VEHICLES } from '../../../test/support/island.ts'
import * as upstreams from '../../../test/support/misbehaving-upstream.ts'
import { publish, temporaryStore } from '../../../test/support/service.ts'
import { startReceiver } from '../../../test/support/webhook-receiver.ts'
import { DATASETS } from '../../datasets/index.ts'
import { findInSource } from '../../notifications/findings/source.ts'
import { tellIncidents } from '../../notifications/incidents.ts'
import { createNotifier } from '../../notifications/notifier.ts'
import type { SourceState, Store } from '../../store/store.ts'
import { type FollowOptions, followSources } from './follow-sources.ts'
import { importSource } from './import-source.ts'
import { parseSchedule } from './schedule.ts'

const { answers, answersConditionally, answersStatus, breaksOff, startUpstream } = upstreams

const bodyOf = (content: unknown) =>
  typeof content === 'string' ? content : JSON.stringify({ results: content })

/** Notifies a real receiver of each source that needs a person, also if it has failed for two hours. */
async function tellOutcomes(t: TestContext) {
  const receiver = await startReceiver(t)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const notifier = createNotifier({ webhook: { url: receiver.url, secret: undefined }, log })
  const tell = tellIncidents((await temporaryStore(t)).incidents, notifier)
  const onOutcome: FollowOptions['onOutcome'] = ({ dataset }, state) =>
    void tell([findInSource({ dataset, source: dataset, afterHours: 2 }, state)])
  return { receiver, onOutcome, stop: () => notifier.stop() }
}

/** Follows sources of real servers in a real store, on a fake clock. */
async function setUp(t: TestContext, datasets: readonly string[], more: Partial<FollowOptions> = {}) {
  const store = await temporaryStore(t)
  const clock = new FakeClock()
  clock.time = Date.parse('2026-01-01T00:00:00Z')
  const servers = new Map<string, upstreams.Upstream>()
  for (const name of datasets) {
    const server = await startUpstream(answers(bodyOf(KNOWN[name as keyof typeof KNOWN])))
    t.after(() => server.close())
    servers.set(name, server)
  }
  const outcomes: SourceState[] = []
  const events: string[] = []
  const logged: Record<string, unknown>[] = []
  const note = (line: { event?: string }) => {
    events.push(line.event ?? '')
    logged.push(line)
  }
  const follower = followSources({
    sources: datasets.map(dataset => ({
      dataset,
      address: servers.get(dataset)?.url ?? '',
      configuration: 'a',
      schedule: parseSchedule('2h'),
    })),
    states: store.sources,
    clock,
    random: () => 0,
    log: { info: note, warn: note, error: note } as never,
    importSource(name, known, signal) {
      const dataset = DATASETS.find(each => each.name === name) ?? assert.fail()
      const address = servers.get(name)?.url ?? ''
      const options = { store, dataset, signal, now: clock.now }
      return importSource({ address, fetch: { allowPrivate: true, timeoutMs: 60_000 }, options }, known)
    },
    ...more,
    onOutcome(source, state) {
      outcomes.push(state)
      more.onOutcome?.(source, state)
    },
  })
  t.after(() => follower.stop())
  const settle = async () => {
    while (clock.timers.size === 0) await new Promise(setImmediate)
  }
  /** Lets time run until this hour, calling back before each attempt. */
  const runUntil = async (hour: number, before = (_hour: number) => {}) => {
    const end = Date.parse('2026-01-01T00:00:00Z') + hour * 3_600_000
    for (;;) {
      await settle()
      const next = Math.min(...[...clock.timers.values()].map(({ at }) => at))
      if (next >= end) return
      before((next - end) / 3_600_000 + hour)
      clock.next()
    }
  }
  const serverOf = (name: string) => servers.get(name) ?? assert.fail()
  return { store, clock, follower, outcomes, events, logged, serverOf, runUntil }
}

const hashOf = async (store: Store, name: string) => (await store.releases.current(name))?.hash

test('a state counts the attempts of each of its last days', async t => {
  const { follower, store, serverOf, runUntil } = await setUp(t, ['toilets'])
  const good = serverOf('toilets').behaviour
  follower.start()
  await runUntil(24 * 40, hour => {
    serverOf('toilets').behaviour = hour > 24 * 38 + 21 && hour < 24 * 39 ? answersStatus(500) : good
  })
  const [{ days = [] } = {}] = await store.sources.list()
  assert.equal(days.length, 31)
  assert.deepEqual(days[0], { date: '2026-01-10', succeeded: 12, failed: 0 })
  const [before, faulty, last] = days.slice(-3)
  assert.deepEqual(before, { date: '2026-02-07', succeeded: 12, failed: 0 })
  assert.ok(faulty?.succeeded === 11 && faulty.failed >= 1, JSON.stringify(faulty))
  assert.equal(last?.failed, 0)
})

test('a day of six sources with faults: no wrong release, the right number of attempts, each notification once', async t => {
  const names = Object.keys(KNOWN)
  const { receiver, onOutcome, stop } = await tellOutcomes(t)
  const { store, follower, outcomes, serverOf, runUntil, events } = await setUp(t, names, { onOutcome })
  const repainted = VEHICLES.replace('Blue', 'Green')
  const faultless = new Map<string, upstreams.Behaviour>(
    names.map(name => [name, answers(bodyOf(KNOWN[name as keyof typeof KNOWN]))]),
  )
  faultless.set('vehicles', answersConditionally(VEHICLES, '"one"'))
  const faults: Readonly<Record<string, upstreams.Behaviour>> = {
    toilets: answersStatus(404),
    carparks: answers('<!doctype html><title>Maintenance</title>', { 'content-type': 'text/html' }),
    recycling: breaksOff,
    defibrillators: answers(JSON.stringify([])),
    'product-recalls': answersStatus(503, { 'retry-after': '10800' }),
  }
  const behave = (hour: number) => {
    if (hour >= 12) faultless.set('vehicles', answersConditionally(repainted, '"two"'))
    const isFaulty = hour >= 6 && hour < 10
    for (const name of names)
      serverOf(name).behaviour = (isFaulty ? faults[name] : undefined) ?? faultless.get(name) ?? assert.fail()
  }
  behave(0)
  follower.start()
  await runUntil(24, behave)
  for (const name of names) {
    const releases = await store.releases.list(name)
    assert.equal(releases.length, name === 'vehicles' ? 2 : 1, `releases of ${name}`)
  }
  const attempts = (name: string) => outcomes.filter(({ dataset }) => dataset === name)
  assert.deepEqual(
    names.map(name => [name, attempts(name).length]),
    [
      ['vehicles', 12],
      // Every two hours, but from 6:00 after 1, 2, 4, 8, 16, 32 and then 60 minutes.
      ['carparks', 19],
      ['toilets', 19],
      ['recycling', 19],
      // A refused source waits for its regular time.
      ['defibrillators', 12],
      // 0, 2, 4, 6, then what Retry-After says: 9, 12.
      ['product-recalls', 11],
    ],
  )
  assert.deepEqual(
    attempts('defibrillators')
      .map(({ outcome }) => outcome)
      .slice(2, 6),
    ['not changed', 'refused', 'refused', 'not changed'],
  )
  assert.equal(attempts('vehicles').filter(({ outcome }) => outcome === 'published').length, 2)
  assert.equal(
    serverOf('vehicles').requests.filter(request => request['if-none-match'] === '"one"').length,
    6,
  )
  for (const { state } of follower.status()) assert.equal(state?.failures, 0)
  await stop()
  const failing = ['carparks', 'product-recalls', 'recycling', 'toilets']
  assert.deepEqual(
    receiver
      .messages()
      .map(({ type, data }) => `${type} ${data.dataset}`)
      .sort(),
    [
      'import.recovered defibrillators',
      'import.refused defibrillators',
      ...failing.map(name => `source.failing ${name}`),
      ...failing.map(name => `source.recovered ${name}`),
    ],
  )
  const states = follower
    .status()
    .map(({ state }) => state)
    .sort((a, b) => (String(a?.dataset) < String(b?.dataset) ? -1 : 1))
  assert.deepEqual(
    await store.sources.list(),
    // The store keeps JSON, which has no undefined members.
    JSON.parse(JSON.stringify(states)),
  )
  const count = (event: string) => events.filter(each => each === event).length
  assert.deepEqual(['source-failed', 'source-refused', 'source-back'].map(count), [4, 1, 5])
})

test('a rollback stays: the same records again are not published, others are', async t => {
  const { store, follower, serverOf, outcomes, runUntil } = await setUp(t, ['toilets'])
  const [first, ...others] = TOILETS
  await publish(store, 'toilets', [...others, { ...first, buildDate: 1901 }] as object[])
  const before = await hashOf(store, 'toilets')
  follower.start()
  await runUntil(1)
  assert.notEqual(await hashOf(store, 'toilets'), before)
  await store.releases.makeCurrent('toilets', 1)
  await runUntil(7)
  assert.equal(await hashOf(store, 'toilets'), before)
  serverOf('toilets').behaviour = answers(bodyOf([...others, { ...first, buildDate: 1902 }]))
  await runUntil(9)
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['published', ...Array(3).fill('not changed'), 'published'],
  )
  assert.equal((await store.releases.current('toilets'))?.number, 3)
})

test('a restart goes on where the last run stopped, and another configuration starts anew', async t => {
  const first = await setUp(t, ['toilets'])
  first.follower.start()
  await first.runUntil(1)
  await first.follower.stop()
  const [state] = await first.store.sources.list()
  const again = await setUp(t, ['toilets'], { states: first.store.sources })
  again.follower.start()
  await again.runUntil(1)
  assert.equal(again.serverOf('toilets').requests.length, 0)
  assert.deepEqual(again.follower.status()[0]?.state, state)
  await first.store.sources.save({ ...(state ?? assert.fail()), configuration: 'b' })
  const changed = await setUp(t, ['toilets'], { states: first.store.sources })
  changed.follower.start()
  await changed.runUntil(1)
  assert.equal(changed.serverOf('toilets').requests.length, 1)
})

test('stopping ends the import under way, which counts as no attempt', async t => {
  const { follower, serverOf, store, outcomes } = await setUp(t, ['toilets'])
  const asked = new Promise<void>(resolve => {
    serverOf('toilets').behaviour = () => resolve()
  })
  follower.start()
  await asked
  await follower.stop()
  assert.deepEqual([outcomes, await store.sources.list()], [[], []])
})

test('what was published by force may be taken back by the publisher', async t => {
  const { store, follower, serverOf, outcomes, runUntil } = await setUp(t, ['toilets'])
  const forced = bodyOf([{ ...TOILETS[0], buildDate: 1901 }])
  follower.start()
  await runUntil(1)
  const before = await hashOf(store, 'toilets')
  await publish(store, 'toilets', forced)
  serverOf('toilets').behaviour = answers(forced)
  await runUntil(3)
  serverOf('toilets').behaviour = answers(bodyOf(TOILETS))
  await runUntil(5)
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['published', 'not changed', 'published'],
  )
  assert.equal(await hashOf(store, 'toilets'), before)
})

const [PIER = assert.fail(), ...OTHERS] = TOILETS

test('a place that moves is in the state, the event and one message, until the next release', async t => {
  const { receiver, onOutcome, stop } = await tellOutcomes(t)
  const { follower, serverOf, logged, runUntil } = await setUp(t, ['toilets'], { onOutcome })
  follower.start()
  await runUntil(1)
  assert.equal(follower.status()[0]?.state?.changed?.notes, undefined)
  serverOf('toilets').behaviour = answers(bodyOf([{ ...PIER, latitude: 49.19 }, ...OTHERS]))
  await runUntil(7)
  const { state } = follower.status()[0] ?? assert.fail()
  const { release, notes = [], needsPerson } = state?.changed ?? assert.fail()
  assert.deepEqual([state?.outcome, release, needsPerson], ['not changed', 2, true])
  assert.match(notes.join('\n'), /^warning: .*puts Pier 11\d\d m from where it was$/m)
  const published = logged.filter(({ event }) => event === 'source-published')
  assert.deepEqual(
    published.map(line => [line.release, line.notes]),
    [
      [1, undefined],
      [2, notes],
    ],
  )
  await runUntil(9, () => {
    serverOf('toilets').behaviour = answers(
      bodyOf([{ ...PIER, latitude: 49.19, buildDate: 1901 }, ...OTHERS]),
    )
  })
  assert.equal(follower.status()[0]?.state?.changed?.needsPerson, undefined)
  await stop()
  assert.deepEqual(
    receiver.messages().map(({ type, data }) => [type, data.release, data.notes]),
    [['import.doubtful', 2, notes]],
  )
})

test('a refusal names the rows in state, event and message; its end is told once, whatever the reasons were', async t => {
  const { receiver, onOutcome, stop } = await tellOutcomes(t)
  const { store, follower, serverOf, logged, runUntil } = await setUp(t, ['toilets'], { onOutcome })
  follower.start()
  await runUntil(1)
  serverOf('toilets').behaviour = answers(bodyOf([PIER, { ...OTHERS[0], buildDate: 'old' }]))
  await runUntil(3)
  const { refused, report } = follower.status()[0]?.state ?? assert.fail()
  const { notes = [] } = refused ?? assert.fail()
  assert.match(notes.join('\n'), /^rejected: line 1, column "buildDate", "old": /m)
  assert.equal((report as { outcome?: string }).outcome, 'refused')
  assert.deepEqual(logged.find(({ event }) => event === 'source-refused')?.notes, notes)
  assert.deepEqual((await store.sources.list())[0]?.report, report)
  serverOf('toilets').behaviour = answers('[]')
  await runUntil(5)
  serverOf('toilets').behaviour = answers(bodyOf(TOILETS))
  await runUntil(9)
  await stop()
  const messages = receiver.messages()
  assert.deepEqual(
    messages.map(({ type }) => type),
    ['import.refused', 'import.refused', 'import.recovered'],
  )
  assert.deepEqual(messages[0]?.data.notes, notes)
})

test('what an operator accepts is taken over within seconds; the next blunder is refused again', async t => {
  const { store, follower, serverOf, outcomes, events, runUntil } = await setUp(t, ['toilets'])
  const many = Array.from({ length: 30 }, (_, n) => ({ name: `Toilet ${n}`, parish: 'St. Helier' }))
  serverOf('toilets').behaviour = answers(bodyOf(many))
  follower.start()
  await runUntil(1)
  const few = many.slice(20)
  serverOf('toilets').behaviour = answers(bodyOf(few))
  await runUntil(3)
  const [before = assert.fail()] = await store.sources.list()
  assert.equal(before.outcome, 'refused')
  const release = await publish(store, 'toilets', few)
  await store.sources.save({
    ...before,
    outcome: 'published',
    reason: null,
    failures: 0,
    failingSince: null,
    triedAt: '2026-01-01T03:00:00.000Z',
    succeededAt: '2026-01-01T03:00:00.000Z',
    changed: { at: '2026-01-01T03:00:00.000Z', release: 2 },
  })
  assert.ok(release)
  await runUntil(3.01)
  assert.deepEqual([follower.status()[0]?.state?.outcome, events.at(-1)], ['published', 'source-published'])
  await runUntil(5)
  serverOf('toilets').behaviour = answers('[]')
  await runUntil(7)
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['published', 'refused', 'published', 'not changed', 'refused'],
  )
})
