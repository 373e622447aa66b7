import assert from 'node:assert/strict'
import { test } from 'node:test'
import { live, makeNeighbours, roleOf, untilOneLeads, watchTimestamps } from '../support/instances.ts'
import { TEST_WORKERS } from '../support/pds.ts'
import { NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { until } from '../support/until.ts'

/** The workers of a stopped primary go on polling. */
const SIGNALS =
  TEST_WORKERS > 1 ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGTERM', 'SIGKILL', 'SIGSTOP'] as const)

const skip = postgresFolder() === undefined && NO_POSTGRES

test('the poller is lost in every way: another instance takes over, and no timestamp decreases', {
  skip,
}, async t => {
  const neighbours = await makeNeighbours(t)
  let all = await Promise.all([neighbours.serve(), neighbours.serve()])
  for (const signal of SIGNALS)
    await t.test(signal, async t => {
      const { leader, follower } = await untilOneLeads(all)
      await until(async () => (await live(follower)).timestamp !== undefined, 'a reading')
      const watching = watchTimestamps(follower)
      const from = performance.now()
      const ended = signal === 'SIGSTOP' ? leader.child.kill(signal) : leader.stop(signal)
      await until(async () => (await roleOf(follower)) === 'leading', 'another that leads')
      const timestamp = neighbours.tell(Math.floor(from % 100))
      await until(async () => (await live(follower)).timestamp === timestamp, 'a new reading')
      t.diagnostic(`a reading by another after ${Math.round(performance.now() - from)} ms`)
      await ended
      if (signal === 'SIGSTOP') {
        const woken = watchTimestamps(leader)
        leader.child.kill('SIGCONT')
        await until(async () => (await roleOf(leader)) === 'following', 'the one that woke following')
        await until(async () => (await live(leader)).timestamp === timestamp, 'the reading there')
        await woken.stop()
        assert.equal(await roleOf(follower), 'leading')
      } else all = [follower, await neighbours.serve()]
      await watching.stop()
    })
})
