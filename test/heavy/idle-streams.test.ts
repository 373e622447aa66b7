import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { openStreams } from '../support/event-streams.ts'
import { TOILETS } from '../support/island.ts'
import { answers, entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const CLIENTS = 1000
const CODES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
const MOST_MB = 50

/** A small heap is collected soon. A large one keeps what was let go for minutes, and the test would measure that. */
const SMALL_HEAP = '--max-old-space-size=96'

/** A good answer of the feed: eight car parks, so many seconds ago. */
const told = (secondsAgo: number, spaces: number) => {
  const time = new Date(Date.now() - secondsAgo * 1000).toISOString()
  return answers(
    payload(
      CODES.map(code => entry(code, spaces)),
      time,
    ),
  )
}

async function residentMb({ child }: Serving): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

/** Asks for a list until it is stopped; gives the number of answers and the longest wait in milliseconds. */
function keepAsking(service: Serving): () => Promise<{ count: number; longestMs: number }> {
  const asked = { count: 0, longestMs: 0 }
  let ended = false
  const asking = (async () => {
    for (; !ended; asked.count++) {
      const at = performance.now()
      assert.equal((await service.get('/v1/toilets')).status, 200)
      asked.longestMs = Math.max(asked.longestMs, performance.now() - at)
    }
  })()
  return async () => {
    ended = true
    await asking
    return asked
  }
}

test(`${CLIENTS} clients that follow the stream`, async t => {
  const upstream = await startUpstream(told(60, 100))
  t.after(() => upstream.close())
  const site = await makeSite(t)
  await site.publish('toilets', TOILETS)
  const service = await site.serve({
    ...{ LIVE_FEED_URL: upstream.url, LIVE_FEED_INTERVAL_S: '1' },
    ...{ TRUST_PROXY: '127.0.0.1', NODE_OPTIONS: SMALL_HEAP },
  })
  const url = `${service.url}/v1/carparks/live-spaces/stream`

  const before = await residentMb(service)
  const streams = await openStreams(t, url, CLIENTS)
  const opened = (await residentMb(service)) - before
  await until(() => streams.every(({ comments }) => comments.length > 0), 'a heartbeat for each')
  // Requests make garbage, so that what the streams do not hold is collected.
  const stopMakingGarbage = keepAsking(service)
  const idle = await until(async () => {
    const cost = (await residentMb(service)) - before
    return cost < MOST_MB && cost
  }, `memory under ${MOST_MB} MB more`)
  await stopMakingGarbage()
  t.diagnostic(
    `${CLIENTS} clients cost ${opened.toFixed(1)} MB, ${idle.toFixed(1)} MB later (from ${before.toFixed(1)} MB)`,
  )

  for (const spaces of [101, 102, 103]) {
    const stopAsking = keepAsking(service)
    const seen: number[] = []
    for (const stream of streams) stream.onEvent = () => seen.push(performance.now())
    upstream.behaviour = told(60 - spaces / 10, spaces)
    await until(() => seen.length === CLIENTS, 'the event at every client')
    const { count, longestMs } = await stopAsking()
    t.diagnostic(
      `an event reached all within ${(Math.max(...seen) - Math.min(...seen)).toFixed(0)} ms; ${count} requests meanwhile, the longest ${longestMs.toFixed(0)} ms`,
    )
    assert.ok(longestMs < 500, 'requests go on being answered')
  }
  // What answering all those requests left is collected in a while.
  const after = await until(async () => {
    const mb = (await residentMb(service)) - before
    return mb < MOST_MB ? { mb } : undefined
  }, `less than ${MOST_MB} MB more`)
  t.diagnostic(`${after.mb.toFixed(1)} MB after three events`)

  const { status, seconds } = await service.stop('SIGTERM')
  t.diagnostic(`ended ${seconds.toFixed(1)} s after SIGTERM`)
  assert.equal(status, 0)
  await Promise.all(streams.map(stream => stream.ended))
})
