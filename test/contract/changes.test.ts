import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND, TOILETS } from '../support/island.ts'
import { build, publish, type Service } from '../support/service.ts'
import { until } from '../support/until.ts'

type Row = Record<string, unknown>

interface Changes {
  readonly from: { readonly release: number; readonly hash: string }
  readonly to: { readonly release: number; readonly hash: string }
  readonly counts: { readonly added: number; readonly changed: number; readonly removed: number }
  readonly added: Row[]
  readonly changed: { readonly record: Row; readonly before: Row }[]
  readonly removed: Row[]
}

/** Publishes a release and waits until it is served. */
async function serve({ store, snapshots }: Service, name: string, records: readonly object[] | string) {
  const { release } = await publish(store, name, records)
  await until(() => snapshots.get(name)?.release.hash === release?.hash)
}

const listOf = async ({ app }: Service, path: string): Promise<Row[]> =>
  (await app.inject(path)).json().results

const sorted = (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).sort()

/** What a consumer has who applies changes to a copy of the list; fails where one does not apply. */
function apply(copy: readonly Row[], { added, changed, removed }: Changes): string[] {
  const left = sorted(copy)
  for (const gone of sorted([
    ...removed,
    ...changed.map(({ record, before }) => ({ ...record, ...before })),
  ])) {
    assert.ok(left.includes(gone), `${gone} is not in the copy`)
    left.splice(left.indexOf(gone), 1)
  }
  return [...left, ...sorted([...added, ...changed.map(({ record }) => record)])].sort()
}

const CHANGED: Readonly<Record<string, (content: never) => readonly object[] | string>> = {
  vehicles: (csv: string) =>
    csv.replace('FOCUS,Blue', 'FOCUS,Red').replace(/^208,RALLYE.*\n/m, 'New,ONE,,,,,,,\n'),
  carparks: ([first, second]: Row[]) => [
    { ...second, createdAt: '2020-01-01T00:00:00.000Z' },
    { ...first, spaces: 607, notes: 'Full on "Liberation Day".' },
  ],
  toilets: ([first]: Row[]) => [first as object, { name: 'Bay', parish: 'Trinity' }],
  recycling: ([first]: Row[]) => [{ ...first, services: ['GLASS'] }],
  defibrillators: ([, second]: Row[]) => [second as object],
  'product-recalls': (all: Row[]) => [...all.slice(1), { ...all[0], id: 9, title: 'Töy' }],
}

test('the changes of every dataset, applied to a copy of its older list, give the list that is served', async t => {
  const service = await build(t, ISLAND)
  for (const [name, change] of Object.entries(CHANGED))
    await t.test(name, async () => {
      const path = `/v1/${name}`
      const before = await listOf(service, path)
      await serve(service, name, change(ISLAND[name as keyof typeof ISLAND] as never))
      const after = await listOf(service, path)
      const response = await service.app.inject(`${path}/changes?since=1`)
      assert.equal(response.statusCode, 200)
      const changes: Changes = response.json()
      assert.deepEqual(apply(before, changes), sorted(after))
      const { added, changed, removed } = changes
      const counts = { added: added.length, changed: changed.length, removed: removed.length }
      assert.deepEqual(changes.counts, counts)
      assert.ok(added.length + changed.length + removed.length > 0)
      assert.deepEqual([changes.from.release, changes.to.release], [1, 2])

      const lines = (await service.app.inject(`${path}/changes.ndjson?since=1`)).body.trimEnd().split('\n')
      const [head, ...rest] = lines.map(line => JSON.parse(line))
      assert.deepEqual(head, { dataset: name, from: changes.from, to: changes.to, counts })
      const of = (kind: string) =>
        rest.filter(({ change }) => change === kind).map(({ change: _, ...value }) => value)
      assert.deepEqual(
        of('added'),
        added.map(record => ({ record })),
      )
      assert.deepEqual(of('changed'), changed)
      assert.deepEqual(
        of('removed'),
        removed.map(record => ({ record })),
      )
    })

  await t.test('a field that the list does not show is no change, as createdAt of a car park', async () => {
    const { changed } = (await service.app.inject('/v1/carparks/changes?since=1')).json() as Changes
    assert.deepEqual(
      changed.map(({ before }) => before),
      [{ spaces: 606, notes: null }],
    )
  })
})

test('since: which release it is', async t => {
  const service = await build(t)
  const { app, store } = service
  const named = (name: string) => [{ ...TOILETS[0], name }]
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await publish(store, 'toilets', named(name))
  await until(() => service.snapshots.get('toilets')?.release.number === 7)
  const kept = await store.releases.list('toilets')
  const changes = (since: string) => app.inject(`/v1/toilets/changes?since=${encodeURIComponent(since)}`)
  const fromOf = async (since: string) => ((await changes(since)).json() as Changes).from.release

  await t.test('a number, or the time from which that release was served', async () => {
    for (const { number, publishedAt } of kept) {
      assert.equal(await fromOf(String(number)), number)
      assert.equal(await fromOf(publishedAt), number)
    }
    assert.equal(await fromOf('2999-01-01'), 7)
  })

  await t.test('without it, the release before the one that is served', async () => {
    assert.equal((await app.inject('/v1/toilets/changes')).json().from.release, 6)
    await publish(store, 'recycling', [])
    await until(() => service.snapshots.get('recycling'))
    const { from, to } = (await app.inject('/v1/recycling/changes')).json()
    assert.deepEqual(from, to)
  })

  await t.test('the release that is served: nothing changed', async () => {
    const { counts, added, changed, removed } = (await changes('7')).json() as Changes
    assert.deepEqual(counts, { added: 0, changed: 0, removed: 0 })
    assert.deepEqual([added, changed, removed], [[], [], []])
  })

  await t.test('one that is no longer kept is 410 and says which are', async () => {
    for (const since of ['1', '2', '2020-01-01', '2020-01-01T00:00:00+01:00']) {
      const response = await changes(since)
      assert.equal(response.statusCode, 410, since)
      assert.equal(response.json().code, 'CHANGES_GONE')
      assert.match(response.json().detail, /7, 6, 5, 4, 3, or a time from 20/)
    }
  })

  await t.test('one that never was, or no such value, is 400 with what is allowed', async () => {
    for (const since of ['0', '8', '999999999', '-1', '1e3', 'latest', '2026-02-30', '2026-01-01T00:00'])
      assert.deepEqual(
        [(await changes(since)).statusCode, (await changes(since)).json().errors[0].parameter],
        [400, 'since'],
        since,
      )
    assert.match((await changes('8')).json().errors[0].allowed, /^one of the releases 7, 6, 5, 4, 3, or/)
    assert.match((await changes('latest')).json().detail, /^since must be the number of a release, a date/)
    assert.equal((await app.inject('/v1/toilets/changes?since=7&since=6')).statusCode, 400)
    const unpublished = await app.inject('/v1/carparks/changes?since=1')
    assert.equal(unpublished.json().code, 'DATASET_UNAVAILABLE')
  })

  await t.test(
    'after a rollback changes lead back from the newer release, and its time is known',
    async () => {
      const before = await listOf(service, '/v1/toilets')
      const { publishedAt } = kept.find(({ number }) => number === 7) ?? assert.fail()
      await store.releases.makeCurrent('toilets', 5)
      await until(() => service.snapshots.get('toilets')?.release.number === 5)
      for (const since of ['7', publishedAt]) {
        const changed: Changes = (await changes(since)).json()
        assert.deepEqual([changed.from.release, changed.to.release], [7, 5])
        assert.deepEqual(apply(before, changed), sorted(await listOf(service, '/v1/toilets')))
      }
      assert.equal(await fromOf(new Date().toISOString()), 5)
    },
  )

  await t.test('the list of releases says so too', async () => {
    const response = await app.inject('/v1/datasets/toilets/releases')
    const now = await store.releases.list('toilets')
    const listed = now.map(({ number, dataset: _, source: __, bytes: ___, filled: ____, ...release }) => ({
      release: number,
      ...release,
    }))
    // What is undefined in the store is absent in JSON.
    assert.deepEqual(response.json().results, JSON.parse(JSON.stringify(listed)))
    assert.deepEqual(
      response.json().results.flatMap((each: Row) => (each.currentSince === null ? [] : [each.release])),
      [5],
    )
    const unknown = await app.inject('/v1/datasets/toilet/releases')
    assert.deepEqual([unknown.statusCode, unknown.json().errors[0].nearest], [404, 'toilets'])
    assert.equal((await app.inject('/v1/datasets/carparks/releases')).statusCode, 503)
  })
})

test('changes have a tag that is known without comparing, another for each pair of releases and each format', async t => {
  const service = await build(t, { toilets: TOILETS })
  await serve(service, 'toilets', TOILETS.slice(1))
  const get = (path: string, headers = {}) => service.app.inject({ url: `/v1/toilets/${path}`, headers })
  const tags = new Set<string>()
  for (const path of ['changes?since=1', 'changes?since=2', 'changes.ndjson?since=1']) {
    const response = await get(path)
    const tag = String(response.headers.etag)
    tags.add(tag)
    assert.equal((await get(path, { 'if-none-match': tag })).statusCode, 304)
    assert.equal(response.headers['cache-control'], 'public, max-age=300, s-maxage=300, stale-if-error=86400')
  }
  assert.equal(tags.size, 3)
  const [first] = tags
  await serve(service, 'toilets', [])
  assert.equal((await get('changes?since=1', { 'if-none-match': first })).statusCode, 200)
  const asLines = await get('changes?since=1', { accept: 'application/x-ndjson' })
  assert.match(String(asLines.headers['content-type']), /^application\/x-ndjson/)
})
