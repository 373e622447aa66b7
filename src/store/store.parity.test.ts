import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { temporaryStore } from '../../test/support/service.ts'
import { ENGINES, type TestedEngine } from '../../test/support/store-engines.ts'
import { startStoreProcess } from '../../test/support/store-process.ts'
import { allRecords, appendAll, publishAll } from '../../test/support/stored-vehicles.ts'
import type { Layout } from '../query/layout.ts'
import type { StoredRecord } from '../query/query.ts'
import { StoreBusyError, UnknownReleaseError } from './store.ts'

const DOCUMENTS: Layout = { kind: 'documents' }
const NOTHING_NEW = {
  source: 'test',
  synthetic: false,
  changes: { added: 0, changed: 0, removed: 0 },
  firstSeen: new Map<string, string>(),
}
const list = (...names: string[]): StoredRecord[] => names.map(name => ({ id: name, name }))

const emptyStore = async (t: TestContext, engine: TestedEngine) =>
  temporaryStore(t, await engine.emptyStore(t))

for (const engine of ENGINES) {
  test(`${engine.name}: a release, also an empty one, gives its records as they came, in their order`, async t => {
    const store = await emptyStore(t, engine)
    const records: StoredRecord[] = [
      { id: 'z', nested: { b: 1, a: [null, 0.1, 'é\0\ud800', 'a\tb\nc\rd\\N'] } },
      { id: 'a', ...JSON.parse('{"__proto__": {"x": 1}, "10": 1, "text": ""}') },
      ...Array.from({ length: 2345 }, (_, id) => ({ id })),
    ]
    for (const published of [records, []]) {
      const release = await publishAll(store, 'toilets', DOCUMENTS, published)
      const open = await store.releases.open(release, DOCUMENTS)
      assert.equal(JSON.stringify(await allRecords(open)), JSON.stringify(published))
      assert.deepEqual(open.release, release)
      assert.equal(open.table, undefined)
    }
  })

  test(`${engine.name}: an aborted signal ends the waiting for the lock, and publishes nothing`, async t => {
    const store = await emptyStore(t, engine)
    const aborting = new AbortController()
    const { signal } = aborting
    const staging = await store.releases.stage('toilets', DOCUMENTS, { signal })
    await appendAll(staging, list('one'))
    const waiting = store.releases.stage('toilets', DOCUMENTS, {
      waitMs: 60_000,
      signal,
      onWait: () => aborting.abort(new Error('interrupted')),
    })
    await assert.rejects(waiting, { message: 'interrupted' })
    await assert.rejects(staging.publish(NOTHING_NEW), { message: 'interrupted' })
    await staging.discard()
    assert.equal(await store.releases.current('toilets'), undefined)
    await (await store.releases.stage('toilets', DOCUMENTS)).discard()
  })

  test(`${engine.name}: a release that is being published when the signal is aborted is published`, async t => {
    const store = await emptyStore(t, engine)
    const aborting = new AbortController()
    const staging = await store.releases.stage('toilets', DOCUMENTS, { signal: aborting.signal })
    await appendAll(staging, list('one'))
    const publishing = staging.publish(NOTHING_NEW)
    aborting.abort()
    assert.equal((await publishing).number, 1)
    assert.equal((await store.releases.current('toilets'))?.number, 1)
  })

  test(`${engine.name}: what is staged is not seen before it is published, nor after it is discarded`, async t => {
    const store = await emptyStore(t, engine)
    const staging = await store.releases.stage('toilets', DOCUMENTS)
    await appendAll(staging, list('one'))
    assert.equal(await store.releases.current('toilets'), undefined)
    assert.equal(await store.releases.sweep(), 0)
    await staging.discard()
    assert.deepEqual(await store.releases.list('toilets'), [])
    await assert.rejects(staging.publish(NOTHING_NEW))
    assert.equal(await store.releases.revision(), 0)
  })

  test(`${engine.name}: the registry says of a release what it was told, and only the current one is current`, async t => {
    const store = await emptyStore(t, engine)
    const before = new Date().toISOString()
    const staging = await store.releases.stage('toilets', DOCUMENTS)
    const sealed = await appendAll(staging, list('one', 'two'))
    const changes = { added: 3, changed: 2, removed: 1 }
    const heldBack = [{ id: '1', name: 'Pier', reason: '0, 0: the coordinates are 0, 0' }]
    const details = { source: 'toilets.json', synthetic: true, changes, firstSeen: new Map(), heldBack }
    const first = await staging.publish(details)
    await staging.discard()
    assert.ok(first.publishedAt >= before && first.publishedAt === first.currentSince)
    const { publishedAt, currentSince, bytes, ...said } = first
    assert.ok(Number(bytes) > 0)
    const { rows, hash } = sealed
    const { firstSeen, ...told } = details
    assert.deepEqual(said, { dataset: 'toilets', number: 1, rows, hash, filled: undefined, ...told })

    const second = await publishAll(store, 'toilets', DOCUMENTS, list('three'))
    assert.deepEqual(await store.releases.list('toilets'), [second, { ...first, currentSince: null }])
    assert.deepEqual(await store.releases.current('toilets'), second)
    assert.deepEqual(await store.releases.list('recycling'), [])
  })

  test(`${engine.name}: the same records in the same order give the same hash, others another`, async t => {
    const store = await emptyStore(t, engine)
    const hashes = []
    for (const records of [list('a', 'b'), list('a', 'b'), list('b', 'a'), list('a')])
      hashes.push((await publishAll(store, 'toilets', DOCUMENTS, records)).hash)
    assert.match(String(hashes[0]), /^[0-9a-f]{64}$/)
    assert.equal(hashes[0], hashes[1])
    assert.equal(new Set(hashes).size, 3)
  })

  test(`${engine.name}: going back makes an older release current, and each change raises the revision`, async t => {
    const address = await engine.emptyStore(t)
    const store = await temporaryStore(t, address)
    const other = await temporaryStore(t, address)
    const revisions = [await other.releases.revision()]
    for (const name of ['one', 'two']) {
      await publishAll(store, 'toilets', DOCUMENTS, list(name))
      revisions.push(await other.releases.revision())
    }
    const back = await store.releases.makeCurrent('toilets', 1)
    revisions.push(await other.releases.revision())
    assert.equal(new Set(revisions).size, 4)
    assert.ok(back.currentSince !== null && back.currentSince >= back.publishedAt)
    assert.deepEqual(await other.releases.current('toilets'), back)
    assert.deepEqual(await store.releases.makeCurrent('toilets', 1), back)
    assert.equal(await other.releases.revision(), revisions.at(-1))
    await assert.rejects(store.releases.makeCurrent('toilets', 3), UnknownReleaseError)
    await assert.rejects(store.releases.makeCurrent('recycling', 1), UnknownReleaseError)
  })

  test(`${engine.name}: the newest five stay, an open one goes on answering, and no number comes again`, async t => {
    const address = await engine.emptyStore(t)
    const store = await temporaryStore(t, address)
    const first = await publishAll(store, 'toilets', DOCUMENTS, list('first'))
    const reading = await store.releases.open(first, DOCUMENTS)
    await publishAll(store, 'recycling', DOCUMENTS, list('other'))
    for (let number = 2; number <= 5; number++)
      await publishAll(store, 'toilets', DOCUMENTS, list(`${number}`))
    await store.releases.makeCurrent('toilets', 1)
    assert.equal((await publishAll(store, 'toilets', DOCUMENTS, list('6'))).number, 6)
    const numbers = async () => (await store.releases.list('toilets')).map(({ number }) => number)
    assert.deepEqual(await numbers(), [6, 5, 4, 3, 2])
    assert.deepEqual(await allRecords(reading), list('first'))
    await assert.rejects(store.releases.open(first, DOCUMENTS), UnknownReleaseError)
    await assert.rejects(store.releases.makeCurrent('toilets', 1), UnknownReleaseError)
    assert.equal((await store.releases.list('recycling')).length, 1)

    const reopened = await temporaryStore(t, address)
    assert.equal((await publishAll(reopened, 'toilets', DOCUMENTS, list('7'))).number, 7)
    assert.deepEqual(await numbers(), [7, 6, 5, 4, 3])
  })

  test(`${engine.name}: changes are counted by key and content, repeated ones too`, async t => {
    const store = await emptyStore(t, engine)
    const some = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c'), v: fc.nat(2) }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(some, some, async (before, after) => {
        const old = await publishAll(store, 'toilets', DOCUMENTS, before)
        const staging = await store.releases.stage('toilets', DOCUMENTS)
        const { repeated } = await appendAll(staging, after)
        assert.equal(repeated, after.length - new Set(after.map(item => `${item.id}${item.v}`)).size)
        assert.deepEqual(await staging.changesSince(old), expectedChanges(before, after))
        assert.deepEqual(await staging.changesSince(undefined), {
          added: after.length,
          changed: 0,
          removed: 0,
        })
        await staging.discard()
      }),
      { numRuns: 60 },
    )
  })

  test(`${engine.name}: an id keeps the time at which it was first seen`, async t => {
    const address = await engine.emptyStore(t)
    const store = await temporaryStore(t, address)
    const publish = async (firstSeen: Map<string, string>) => {
      const staging = await store.releases.stage('toilets', DOCUMENTS)
      await staging.seal()
      await staging.publish({ ...NOTHING_NEW, firstSeen })
    }
    const many = Array.from({ length: 1234 }, (_, n) => `id-${n}`)
    await publish(new Map(many.map(id => [id, '2024-01-01T00:00:00.000Z'])))
    const later = '2025-01-01T00:00:00.000Z'
    await publish(new Map([...many.slice(0, 5), 'new', '__proto__'].map(id => [id, later])))
    const reopened = await temporaryStore(t, address)
    const seen = await reopened.releases.firstSeen('toilets')
    assert.equal(seen.size, 1236)
    assert.equal(seen.get('id-0'), '2024-01-01T00:00:00.000Z')
    assert.equal(seen.get('__proto__'), later)
    assert.equal(seen.get('never'), undefined)
    assert.equal((await reopened.releases.firstSeen('recycling')).size, 0)
  })

  test(`${engine.name}: the latest observation survives a restart, in the feed's order and with its names`, async t => {
    const address = await engine.emptyStore(t)
    const store = await temporaryStore(t, address)
    assert.equal(await store.readings.latestObservation(), undefined)
    const entry = (code: string, more = {}) => ({
      name: `Car park ${code}`,
      code,
      spaces: 7,
      status: 'Spaces',
      open: true,
      ...more,
    })
    const first = { timestamp: '2024-05-01T10:00:00.000Z', entries: [entry('SAND'), entry('GREEN')] }
    const renamed = entry('SAND', { name: 'Renamed "é\0"', spaces: 0, status: '', open: false })
    const second = {
      timestamp: '2024-05-01T10:05:00.123Z',
      entries: [entry('GREEN'), renamed, entry('AAA')],
    }
    for (const observation of [second, first]) await store.readings.saveObservation(observation)
    assert.deepEqual(await store.readings.latestObservation(), second)
    await store.readings.saveObservation({ ...second, entries: [] })
    const reopened = await temporaryStore(t, address)
    assert.deepEqual(await reopened.readings.latestObservation(), second)
    const empty = { timestamp: '2024-05-01T10:10:00.000Z', entries: [] }
    await reopened.readings.saveObservation(empty)
    assert.deepEqual(await store.readings.latestObservation(), empty)
    await assert.rejects(store.readings.saveObservation({ timestamp: 'today', entries: [] }), TypeError)
  })

  test(`${engine.name}: one writer at a time; the next waits, is told once, and readings wait for nobody`, async t => {
    const address = await engine.emptyStore(t)
    const [one, other] = [await temporaryStore(t, address), await temporaryStore(t, address)]
    await publishAll(one, 'toilets', DOCUMENTS, list('one'))
    await publishAll(one, 'toilets', DOCUMENTS, list('two'))
    const staging = await one.releases.stage('toilets', DOCUMENTS)
    await assert.rejects(other.releases.stage('recycling', DOCUMENTS), StoreBusyError)
    await assert.rejects(one.releases.stage('recycling', DOCUMENTS, { waitMs: 30 }), StoreBusyError)
    await assert.rejects(other.releases.makeCurrent('toilets', 1), StoreBusyError)
    await other.readings.saveObservation({ timestamp: '2024-05-01T10:00:00.000Z', entries: [] })
    assert.equal((await other.releases.current('toilets'))?.number, 2)

    let told = 0
    const next = await other.releases.stage('recycling', DOCUMENTS, {
      waitMs: 60_000,
      onWait: () => {
        told++
        void staging.discard()
      },
    })
    assert.equal(told, 1)
    await next.discard()
    await next.discard()
    assert.equal((await one.releases.makeCurrent('toilets', 1)).number, 1)
  })

  test(`${engine.name}: another process that writes is waited for`, async t => {
    const address = await engine.emptyStore(t)
    const store = await temporaryStore(t, address)
    const writer = startStoreProcess(t, 'publish at the next input', address)
    assert.equal(await writer.nextLine(), 'staged')
    await assert.rejects(store.releases.stage('toilets', DOCUMENTS), StoreBusyError)
    assert.equal(await store.releases.sweep(), 0)
    const onWait = () => writer.child.stdin.end('publish\n')
    const staging = await store.releases.stage('toilets', DOCUMENTS, { waitMs: 60_000, onWait })
    assert.equal((await store.releases.current('toilets'))?.number, 1)
    await staging.discard()
  })
}

/** Counts changes independently: records on both sides cancel out, and the rest are paired by id. */
function expectedChanges(before: readonly StoredRecord[], after: readonly StoredRecord[]) {
  const left = new Map<string, StoredRecord>(before.map((item, n) => [String(n), item]))
  const fresh = after.filter(item => {
    const match = [...left].find(([, old]) => old.id === item.id && old.v === item.v)
    if (match !== undefined) left.delete(match[0])
    return match === undefined
  })
  let changed = 0
  for (const item of fresh) {
    const match = [...left].find(([, old]) => old.id === item.id)
    if (match === undefined) continue
    left.delete(match[0])
    changed++
  }
  return { added: fresh.length - changed, changed, removed: left.size }
}
