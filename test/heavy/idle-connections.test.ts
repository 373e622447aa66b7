import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionLimit } from '../../src/http/http-app.ts'
import { gather } from '../support/crowd.ts'
import { TOILETS } from '../support/island.ts'
import { makeSite } from '../support/site.ts'
import { residentMb, watch } from '../support/unread.ts'
import { until } from '../support/until.ts'

/* The fault: clients that open thousands of connections and do nothing with them. */

const CLIENTS = 10_000

const skip = connectionLimit() < CLIENTS + 200 && `needs ${CLIENTS + 300} open files (ulimit -n)`

test(`${CLIENTS} connections that nobody uses`, { skip }, async t => {
  const site = await makeSite(t)
  await site.publish('toilets', TOILETS)
  const service = await site.serve()
  const kinds: [what: string, bytes: string, closedWithinMs: number][] = [
    ['without a request', '', 7500],
    ['kept alive after one', 'GET /v1/toilets HTTP/1.1\r\nHost: a\r\n\r\n', 8000],
  ]
  for (const [what, bytes, closedWithinMs] of kinds)
    await t.test(what, async t => {
      const before = await residentMb(service)
      const stop = watch(service)
      const crowd = await gather(t, service.url, CLIENTS, bytes)
      const last = performance.now()
      await until(() => crowd.closed.length === CLIENTS, 'all to be closed', 30_000)
      const { medianMs, longestMs, mostMb } = await stop()
      const reapedMs = Math.max(...crowd.closed) - last
      t.diagnostic(
        `the last was closed after ${(reapedMs / 1000).toFixed(1)} s; memory +${(mostMb - before).toFixed(0)} MB; another client waited ${medianMs.toFixed(0)} ms, at most ${longestMs.toFixed(0)} ms`,
      )
      if (bytes !== '') assert.equal(crowd.answered(), CLIENTS)
      assert.ok(reapedMs < closedWithinMs + 2000, `${reapedMs} ms`)
      assert.ok(
        medianMs < 500 && longestMs < 2000,
        `another client waited ${medianMs} ms, at most ${longestMs} ms`,
      )
      assert.ok(mostMb - before < 250, `${mostMb - before} MB`)
    })
})
