import assert from 'node:assert/strict'
import { test } from 'node:test'
import { live, makeNeighbours, roleOf, untilOneLeads, watchTimestamps } from '../support/instances.ts'
import { startLoneServer } from '../support/lone-server.ts'
import { NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const skip = (postgresFolder() === undefined || process.platform !== 'linux') && NO_POSTGRES

test('the database fails and recovers: each instance polls for itself, and readings never go back in time', {
  skip,
}, async t => {
  const server = await startLoneServer(t)
  const neighbours = await makeNeighbours(t, server.address('pds'))
  const both = await Promise.all([neighbours.serve(), neighbours.serve()])
  for (const [words, leave, come] of [
    ['stopped', () => server.stop('immediate'), () => server.start()],
    ['frozen', () => server.freeze(), () => server.thaw()],
  ] as const)
    await t.test(words, async t => {
      await untilOneLeads(both)
      const watching = both.map(watchTimestamps)
      await leave()
      const from = performance.now()
      for (const serving of both) await until(async () => (await roleOf(serving)) === 'alone', 'being alone')
      t.diagnostic(`each alone after ${Math.round(performance.now() - from)} ms`)
      const timestamp = neighbours.tell(50)
      for (const serving of both)
        await until(async () => (await live(serving)).timestamp === timestamp, 'a reading by each')
      await come()
      const back = performance.now()
      const { leader, follower } = await untilOneLeads(both)
      t.diagnostic(`one that leads ${Math.round(performance.now() - back)} ms after its return`)
      const later = neighbours.tell(40)
      for (const serving of [leader, follower])
        await until(async () => (await live(serving)).timestamp === later, 'a reading by one for both')
      for (const { stop } of watching) await stop()
      assert.ok(leader.log.some(({ event }) => event === 'feed-alone'))
    })
})
