import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import {
  EARLIER,
  EARLIER_STORES,
  type EarlierRelease,
  type EarlierStore,
  entryOf,
  REGISTER,
  vehicleRelease,
} from '../../test/support/earlier-store.ts'
import { emptyFolder } from '../../test/support/folder.ts'
import { pds, startPds } from '../../test/support/pds.ts'
import { TABLE_ENGINES } from '../../test/support/store-engines.ts'
import { allRecords, publishAll } from '../../test/support/stored-vehicles.ts'
import { until } from '../../test/support/until.ts'
import { DEFAULT_TABLES } from './engine.ts'
import { openStore } from './open-store.ts'
import { OldStoreError, type Store } from './store.ts'

const OLD =
  /^error: [^\n]* was made by an earlier version of the service: run `pds migrate`, which takes it over\n$/
/** Names of the files, tables and row tables that this version adds. */
const ADDED = /\.(?:ndjson\.gz|table)$|^release_(?:files|pieces)$|^r\d{16}_/
const TOILETS = { kind: 'documents' } as const

const [OLDER_TOILETS, , OLDER_VEHICLES, VEHICLES_2] = EARLIER as [
  EarlierRelease,
  EarlierRelease,
  EarlierRelease,
  EarlierRelease,
]

for (const { name, tables = DEFAULT_TABLES } of TABLE_ENGINES) {
  const make = name === 'sqlite' ? EARLIER_STORES.sqlite : EARLIER_STORES.postgres
  const environmentOf = (address: string) => ({ DATABASE_URL: address, TABLE_ENGINE: tables.engine })

  /** Runs `pds migrate` on a store. */
  async function migrate({ address }: Pick<EarlierStore, 'address'>, ...options: string[]) {
    return pds('.', ['migrate', ...options], { environment: environmentOf(address) })
  }

  async function open(t: TestContext, { address }: EarlierStore): Promise<Store> {
    const store = await openStore(address, { mustExist: true, tables })
    t.after(() => store.close())
    return store
  }

  /** Checks that a store has exactly these releases with their records. */
  async function hasReleases(store: Store, expected = EARLIER): Promise<void> {
    for (const dataset of ['toilets', 'vehicles']) {
      const wanted = expected.filter(release => release.dataset === dataset).toReversed()
      const kept = await store.releases.list(dataset)
      assert.deepEqual(
        kept.map(({ currentSince, bytes, heldBack, ...entry }) => entry),
        // An earlier version did not count the values of fields.
        wanted.map(release => ({ ...entryOf(release), filled: undefined })),
      )
      for (const [at, { records, layout }] of wanted.entries()) {
        const opened = await store.releases.open(kept[at] as (typeof kept)[0], layout)
        assert.deepEqual(
          (await allRecords(opened)).map(record => JSON.stringify(record)),
          records.map(record => JSON.stringify(record)),
        )
      }
    }
  }

  test(`${name}: pds migrate takes over every release, and the store works on`, async t => {
    const earlier = await make(t)
    const { status, stdout, stderr } = await migrate(earlier)
    assert.deepEqual([status, stderr.match(/^taking over release \d of \w+$/gm)?.length], [0, 4], stderr)
    assert.match(stdout, /: took over 4 releases\nThe earlier version can still open the store\./)

    const store = await open(t, earlier)
    // This version's own sweep keeps everything that was taken over.
    await store.releases.sweep()
    await hasReleases(store)
    const [toilets, vehicles] = await Promise.all(
      ['toilets', 'vehicles'].map(one => store.releases.current(one)),
    )
    assert.deepEqual([toilets?.number, toilets?.currentSince], [1, '2024-03-01T00:00:00.000Z'])
    assert.deepEqual([vehicles?.number, vehicles?.currentSince], [2, vehicles?.publishedAt])
    assert.deepEqual(toilets?.heldBack, [{ id: 'a', name: 'A', reason: 'x' }])
    assert.deepEqual([...(await store.releases.firstSeen('toilets'))], [['a', '2024-01-01T00:00:00.000Z']])
    const readings = await store.readings.readings({ from: 0, to: 3_600_000 })
    assert.deepEqual(
      readings.map(({ at, spaces }) => [at, spaces]),
      [[600_000, 7]],
    )

    const { number, changes } = await publishAll(store, 'toilets', TOILETS, [
      ...OLDER_TOILETS.records.slice(1),
      { id: 'a', name: 'Steps, repaired' },
      { id: 'c', name: 'New' },
    ])
    assert.deepEqual([number, changes], [3, { added: 1, changed: 1, removed: 0 }])
    const edited = VEHICLES_2.records.slice(2).map((one, at) => (at < 3 ? { ...one, color: 'Pink' } : one))
    const published = await publishAll(store, 'vehicles', REGISTER, edited)
    assert.deepEqual([published.number, published.changes], [3, { added: 0, changed: 3, removed: 2 }])
    assert.equal((await store.releases.makeCurrent('vehicles', 1)).number, 1)
    assert.equal((await store.releases.current('vehicles'))?.number, 1)
    await store.releases.verify((await store.releases.current('vehicles')) as never)
  })

  test(`${name}: the earlier form lies untouched, and a second pds migrate has nothing to take over`, async t => {
    const earlier = await make(t)
    const before = await earlier.content()
    const kept = async () =>
      Object.fromEntries(Object.entries(await earlier.content()).filter(([key]) => !ADDED.test(key)))
    assert.equal((await migrate(earlier)).status, 0)
    assert.deepEqual(await kept(), before)
    await (await open(t, earlier)).releases.sweep()
    assert.deepEqual(await kept(), before)
    const taken = await earlier.content()
    const { status, stdout } = await migrate(earlier)
    assert.deepEqual([status, /: there is nothing to take over\n$/.test(stdout)], [0, true], stdout)
    assert.deepEqual(await earlier.content(), taken)
  })

  test(`${name}: stores of versions 1 and 2 of the schema are taken over too`, async t => {
    for (const version of [1, 2]) {
      const earlier = await make(t, version)
      const { status, stdout, stderr } = await migrate(earlier)
      assert.equal(status, 0, stderr)
      assert.match(stdout, /: took over 4 releases\nOnly versions with version 3 of the schema can go back/)
      const store = await open(t, earlier)
      await hasReleases(store)
      await store.readings.saveHistory(
        [{ at: 900_000, code: 'A', name: 'Pier', spaces: 9, open: null, status: null }],
        'history.csv',
      )
      assert.equal((await store.readings.origins()).batches.length, 1)
      assert.equal((await store.leases?.acquireLease('sources', 1000))?.leading, true)
    }
  })

  test(`${name}: damaged releases are left out and told by name, and the rest is taken over`, async t => {
    const earlier = await make(t)
    await earlier.damage(OLDER_TOILETS)
    await earlier.damage(OLDER_VEHICLES)
    const { status, stdout } = await migrate(earlier)
    assert.equal(status, 1)
    assert.match(stdout, /: took over 2 releases\n/)
    assert.match(
      stdout,
      /^not taken over: release 1 of toilets: .+\nnot taken over: release 1 of vehicles: .+$/m,
    )
    const store = await open(t, earlier)
    await hasReleases(
      store,
      EARLIER.filter(({ number }) => number === 2),
    )
    assert.equal((await store.releases.makeCurrent('toilets', 2)).number, 2)
    const finished = await migrate(earlier, '--finish')
    assert.deepEqual([finished.status, finished.stderr], [0, ''])
    assert.match((await migrate(earlier)).stdout, /: there is nothing to take over\n$/)
  })

  test(`${name}: a killed pds migrate leaves the store as it was or taken over, and can be repeated`, async t => {
    for (const line of ['1 of toilets', '2 of toilets', '1 of vehicles', '2 of vehicles', 'took over']) {
      const earlier = await make(t)
      const child = startPds('.', ['migrate'], environmentOf(earlier.address))
      const gone = once(child, 'exit')
      for (const stream of [child.stdout, child.stderr])
        createInterface(stream).on('line', said => {
          if (said.includes(line)) child.kill('SIGKILL')
        })
      await gone
      const opened = await openStore(earlier.address, { tables }).catch((error: unknown) => error)
      if (opened instanceof Error) assert.ok(opened instanceof OldStoreError, String(opened))
      else await hasReleases(opened as Store).finally(() => (opened as Store).close())
      // The server takes a moment to notice that the holder of the lock is gone.
      await until(async () => (await migrate(earlier)).status === 0, 'pds migrate')
      await hasReleases(await open(t, earlier))
    }
  })

  test(`${name}: two pds migrate at once take over each release once`, async t => {
    const earlier = await make(t)
    const ended = await Promise.all([migrate(earlier), migrate(earlier)])
    for (const { status, stderr } of ended)
      assert.ok(
        status === 0 || /^error: another import or rollback is writing to [^\n]*\n$/.test(stderr),
        stderr,
      )
    assert.ok(ended.some(({ status }) => status === 0))
    await hasReleases(await open(t, earlier))
  })

  test(`${name}: what the earlier version published meanwhile is taken over before --finish`, async t => {
    const earlier = await make(t)
    assert.equal((await migrate(earlier)).status, 0)
    const next = vehicleRelease(3, 70)
    await earlier.publish(next)
    const early = await migrate(earlier, '--finish')
    assert.deepEqual([early.status, early.stdout], [1, ''])
    assert.match(
      early.stderr,
      /^error: release 3 of vehicles was made by an earlier version[^\n]*pds migrate[^\n]*\n$/,
    )

    const store = await open(t, earlier)
    const revision = await store.releases.revision()
    assert.match((await migrate(earlier)).stdout, /: took over 1 release\n/)
    assert.notEqual(await store.releases.revision(), revision)
    await hasReleases(store, [...EARLIER, next])
    assert.equal((await store.releases.current('vehicles'))?.number, 3)
  })

  test(`${name}: --finish removes what only the earlier version needs, and nothing else`, async t => {
    const earlier = await make(t)
    assert.equal((await migrate(earlier)).status, 0)
    const before = await earlier.content()
    const { status, stdout } = await migrate(earlier, '--finish')
    assert.deepEqual([status, /: what only the earlier version needed is removed\n$/.test(stdout)], [0, true])
    const after = await earlier.content()
    const isVersion = (key: string) => key === 'version' || key === 'migrations'
    const isOfReleases = (key: string) => /\.sqlite$|^r\d{15}_/.test(key)
    const remaining = (content: Record<string, unknown>) =>
      Object.entries(content).filter(([key]) => !isVersion(key) && !isOfReleases(key))
    assert.deepEqual(remaining(after), remaining(before))
    assert.ok(Object.keys(before).some(isOfReleases) && !Object.keys(after).some(isOfReleases))
    assert.match((await migrate(earlier, '--finish')).stdout, /: there is nothing to remove\n$/)
    assert.match((await migrate(earlier)).stdout, /: there is nothing to take over\n$/)
    await hasReleases(await open(t, earlier))
  })

  test(`${name}: a store that was not taken over is not finished`, async t => {
    const earlier = await make(t)
    const before = await earlier.content()
    const { status, stdout, stderr } = await migrate(earlier, '--finish')
    assert.deepEqual([status, stdout, OLD.test(stderr)], [1, '', true], stderr)
    assert.deepEqual(await earlier.content(), before)
  })

  if (tables.engine === 'memory') {
    test(`${name}: commands say in one line that the store needs pds migrate, and change nothing`, async t => {
      const earlier = await make(t)
      const before = await earlier.content()
      const folder = await emptyFolder(t)
      const environment = { DATABASE_URL: earlier.address, PORT: '0', ADMIN_PORT: '0' }
      const all = [
        ...[['serve'], ['demo'], ['sources'], ['history'], ['history', 'remove', '1']],
        ...['releases', 'diff', 'export', 'rollback'].map(command => [command, 'toilets']),
        ...[
          ['import', 'toilets', '-'],
          ['import', 'live-spaces', '-', '--dry-run'],
        ],
        ...[
          ['backup', 'store.backup'],
          ['copy', '--to', 'sqlite:./copied'],
        ],
        ['import', 'toilets', '-', '--dry-run'],
      ]
      // Both engines share these commands, so one engine is enough.
      const commands = name === 'sqlite' ? all : [['serve'], ...all.slice(-4)]
      for (const words of commands) {
        const { status, stdout, stderr } = await pds(folder, words, { environment, input: 'name\nSteps\n' })
        assert.deepEqual([status, stdout, OLD.test(stderr)], [1, '', true], `${words.join(' ')}: ${stderr}`)
      }
      const filled = `sqlite:${await emptyFolder(t)}`
      await (await openStore(filled)).close()
      const copied = await pds(folder, ['copy', '--from', filled, '--to', earlier.address])
      assert.deepEqual([copied.status, OLD.test(copied.stderr)], [1, true], copied.stderr)
      assert.match((await pds(folder, ['doctor'], { environment })).stdout, /run `pds migrate`/)
      for (const how of [{}, { mustExist: true }, { discardUnused: true }, { patient: true }])
        await assert.rejects(openStore(earlier.address, how), OldStoreError)
      assert.deepEqual(await earlier.content(), before)
    })

    test(`${name}: pds migrate and --finish leave a store of a newer version as it is`, async t => {
      const earlier = await make(t)
      await earlier.change(prefix =>
        prefix === '' ? 'insert into migrations (version) values (99)' : 'pragma file.user_version = 99',
      )
      const before = await earlier.content()
      for (const options of [[], ['--finish']]) {
        const { status, stdout, stderr } = await migrate(earlier, ...options)
        assert.deepEqual([status, stdout], [1, ''])
        assert.match(
          stderr,
          /^error: [^\n]* made by a newer version|^error: [^\n]* written by a newer version/,
        )
      }
      assert.deepEqual(await earlier.content(), before)
    })
  }
}
