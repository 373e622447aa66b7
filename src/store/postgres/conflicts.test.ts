import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hinderedStore, raise } from '../../../test/support/hindered-store.ts'
import { NO_POSTGRES, postgresFolder } from '../../../test/support/postgres.ts'
import { appendAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import type { Store } from '../store.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }

const OBSERVATION = {
  timestamp: '2026-01-01T00:00:00.000Z',
  entries: [{ code: 'A', name: 'A', spaces: 3, status: 'good', open: true }],
}
const READING = { at: 60_000, code: 'A', name: 'A', spaces: 1, open: null, status: null }

/** Each kind of write, with its table and a check of its result. */
const WRITES: Readonly<
  Record<
    string,
    { table: string; write(store: Store): Promise<unknown>; done(store: Store): Promise<unknown> }
  >
> = {
  'publishing a release': {
    table: 'releases',
    async write({ releases }) {
      const staging = await releases.stage('vehicles', VEHICLES)
      const { rows } = await appendAll(staging, vehicles(20))
      const changes = { added: rows, changed: 0, removed: 0 }
      const details = { source: 'test', synthetic: true, changes, firstSeen: new Map() }
      await staging.publish(details).finally(staging.discard)
    },
    done: async ({ releases }) => (await releases.list('vehicles')).map(({ number }) => number),
  },
  'saving a live reading': {
    table: 'observations',
    write: store => store.readings.saveObservation(OBSERVATION),
    done: async ({ readings }) => ((await readings.latestObservation())?.entries ?? []).map(() => 1),
  },
  'importing history': {
    table: 'reading_hours',
    write: store => store.readings.saveHistory([READING]),
    done: async ({ readings }) => (await readings.keptHistory()).map(() => 1),
  },
}

for (const [what, { table, write, done }] of Object.entries(WRITES)) {
  for (const [state, atCommit] of [
    ['40001', false],
    ['40P01', false],
    ['40001', true],
  ] as const)
    test(
      `${what} succeeds after three conflicts (${state}${atCommit ? ' at commit' : ''})`,
      options,
      async t => {
        const { store, conflicts, attempts } = await hinderedStore(t, {
          table,
          first: 3,
          action: raise(state),
          atCommit,
        })
        await write(store)
        assert.deepEqual(await done(store), [1])
        assert.deepEqual([await attempts(), conflicts()], [4, 3])
      },
    )

  test(`${what} fails after four conflicts and changes nothing`, options, async t => {
    const { store, conflicts, attempts } = await hinderedStore(t, { table, first: 4, action: raise('40001') })
    await assert.rejects(write(store), {
      name: 'StoreBusyError',
      message: /had a conflicting change: try again$/,
    })
    assert.deepEqual([await attempts(), conflicts()], [4, 3])
    assert.deepEqual(await done(store), [])
    await write(store)
    assert.deepEqual(await done(store), [1])
  })

  test(`${what} is not repeated after another error, and tells the first one`, options, async t => {
    const action = 'perform pg_terminate_backend(pg_backend_pid())'
    const { store, conflicts } = await hinderedStore(t, { table, first: 1, action })
    await assert.rejects(write(store), {
      name: 'StoreUnusableError',
      message: /is shutting down: try again when it is back$/,
    })
    assert.equal(conflicts(), 0)
    await write(store)
    assert.deepEqual(await done(store), [1])
  })
}
