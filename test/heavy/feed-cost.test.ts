import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import * as upstreams from '../support/misbehaving-upstream.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const MB = 1e6
/** Enough for the breaker to open, so that what comes before and after is measured. */
const POLLS = 4

/** A line of the process's own account of its memory, in MB. */
async function memory({ child }: Serving, line: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status) ?? []
  return (Number(kilobytes) * 1024) / MB
}

/** Begins a new account of the most memory that the process had. */
const forgetPeak = ({ child }: Serving) => writeFile(`/proc/${child.pid}/clear_refs`, '5')

/** Polls so far with this outcome, and how long the loop was held up at most since the last time this was asked. */
async function look(serving: Serving, outcome: string): Promise<{ polls: number; heldUpMs: number }> {
  const series = await serving.metrics()
  return {
    polls: series.get(`pds_feed_polls_total{outcome="${outcome}"}`) ?? 0,
    heldUpMs: Math.round((series.get('nodejs_eventloop_lag_max_seconds') ?? 0) * 1000),
  }
}

/** Waits for so many more polls with this outcome; gives how long the loop was held up at most meanwhile. */
async function passed(serving: Serving, outcome: string, count: number): Promise<number> {
  const { polls: before } = await look(serving, outcome)
  let heldUp = 0
  await until(async () => {
    const { polls, heldUpMs } = await look(serving, outcome)
    heldUp = Math.max(heldUp, heldUpMs)
    return polls >= before + count
  }, `polls that are ${outcome}`)
  return heldUp
}

const noProc = existsSync('/proc/self/clear_refs')
  ? false
  : '/proc/<pid>/clear_refs, which is Linux, is absent'
test('whatever the feed sends, it costs little memory and does not block the service', {
  skip: noProc,
}, async t => {
  const good = upstreams.answers(upstreams.payload([upstreams.entry('HARBST')]))
  const upstream = await upstreams.startUpstream(good)
  t.after(() => upstream.close())
  const site = await makeSite(t)
  const serving = await site.serve({ LIVE_FEED_URL: upstream.url, LIVE_FEED_INTERVAL_S: '1' })
  const bomb = await upstreams.gzipBomb(300 * 1024 * 1024)
  // What each gives is told by its outcome; the bounds are those that a fault may cost, in MB.
  const faults: [string, upstreams.Behaviour, string, number][] = [
    ['JSON nested 200,000 deep', upstreams.answers(upstreams.deepJson(200_000)), 'unreadable', 50],
    ['headers of 10 MB', upstreams.answers('', { 'x-long': 'x'.repeat(10 * MB) }), 'too-large', 50],
    ['a body of 10 MB, announced', upstreams.answers(Buffer.alloc(10 * MB, ' ')), 'too-large', 50],
    ['a body of 500 MB, not announced', upstreams.sendsBytes(500 * MB), 'too-large', 50],
    ['a gzip bomb of 300 MB', upstreams.answers(bomb, { 'content-encoding': 'gzip' }), 'too-large', 10],
  ]
  for (const [what, behaviour, outcome, bound] of faults) {
    upstream.behaviour = good
    await passed(serving, 'ok', 2)
    await forgetPeak(serving)
    const before = await memory(serving, 'VmRSS')
    upstream.behaviour = behaviour
    const heldUp = await passed(serving, outcome, POLLS)
    const cost = (await memory(serving, 'VmHWM')) - before
    t.diagnostic(`${what}: memory +${cost.toFixed(1)} MB, loop held up ${heldUp} ms at most`)
    assert.ok(cost < bound, `${what} cost ${cost} MB`)
  }
})
