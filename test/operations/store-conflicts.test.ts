import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hinderedStore, raise } from '../support/hindered-store.ts'
import { answers, entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import { NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }

test('a reading is saved in spite of conflicts, which are counted and logged once', options, async t => {
  const { address, store } = await hinderedStore(t, {
    table: 'observations',
    first: 3,
    action: raise('40001'),
  })
  const feed = await startUpstream(answers(payload([entry('A')], new Date().toISOString())))
  t.after(() => feed.close())
  const site = await makeSite(t)
  const serving = await site.serve({ DATABASE_URL: address, LIVE_FEED_URL: feed.url })
  await until(() => store.readings.latestObservation(), 'the reading')
  const metrics = await serving.metrics()
  assert.equal(metrics.get('pds_store_conflicts_total'), 3)
  assert.equal(metrics.get('pds_readings_not_saved_total'), 0)
  assert.equal(serving.log.filter(({ event }) => event === 'store-conflicts').length, 1)
})
