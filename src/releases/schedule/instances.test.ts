import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryStore } from '../../../test/support/service.ts'
import { ENGINES } from '../../../test/support/store-engines.ts'
import { until } from '../../../test/support/until.ts'
import { followSources } from './follow-sources.ts'

const LOG = { info() {}, warn() {}, error() {} }
const TIMING = { followEveryMs: 50, leaseMs: 3000, renewEveryMs: 200, timeoutMs: 2000 }

for (const { name: engine, emptyStore } of ENGINES)
  test(`${engine}: of two instances one follows the sources; the other knows what came of it, and takes over`, async t => {
    const address = await emptyStore(t)
    const attempts: string[] = []
    const start = async (name: string) => {
      const store = await temporaryStore(t, address)
      const follower = followSources({
        sources: [
          { dataset: 'toilets', address: '', configuration: 'a', schedule: { next: after => after + 50 } },
        ],
        states: store.sources,
        leases: store.leases,
        log: LOG,
        timing: TIMING,
        async importSource() {
          attempts.push(name)
          return { outcome: 'not changed', validators: {}, hash: null }
        },
      })
      t.after(() => follower.stop())
      follower.start()
      return follower
    }
    const one = await start('one')
    await until(() => attempts.length > 2, 'attempts of the first')
    const other = await start('other')
    await until(() => other.status()[0]?.state !== undefined, 'the state from the store')
    const before = attempts.length
    await until(() => attempts.length > before + 5, 'more attempts')
    assert.deepEqual(new Set(attempts), new Set(['one']))
    await one.stop()
    await until(() => attempts.at(-1) === 'other', 'the other one')
    const last = attempts.lastIndexOf('one')
    assert.ok(attempts.slice(last + 1).every(name => name === 'other'))
  })
