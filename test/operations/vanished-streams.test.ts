import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnreachablePeers } from '../../src/http/events/unreachable-peers.ts'
import { openStream } from '../support/event-streams.ts'
import { FakeClock } from '../support/feed-poller-setup.ts'
import { followLive } from '../support/live-stream.ts'
import { losePacketsTo, noLostPackets } from '../support/lost-packets.ts'
import { until } from '../support/until.ts'

const VANISHED = '127.0.0.77'

test('a client that vanishes without closing its connection is dropped at the third heartbeat, within 60 seconds', async t => {
  const reason = await noLostPackets(VANISHED)
  if (reason !== false) {
    t.skip(reason)
    return
  }
  const clock = new FakeClock()
  const { url, figures } = await followLive(t, { eventClients: { timers: clock } })
  const other = await openStream(t, url)
  const vanished = await openStream(t, url, {}, VANISHED)
  await losePacketsTo(t, VANISHED)
  const heartbeat = async (count: number) => {
    assert.ok(clock.next())
    await until(() => other.comments.length === count, 'the heartbeat at the other client')
  }
  await heartbeat(1)
  await until(async () => (await findUnreachablePeers()).size > 0, 'data without an acknowledgement')
  await heartbeat(2)
  assert.deepEqual(figures(), { connected: 2, dropped: 0, refused: 0 })
  await heartbeat(3)
  assert.deepEqual(figures(), { connected: 1, dropped: 1, refused: 0 })
  assert.equal(vanished.comments.length, 0)
})
