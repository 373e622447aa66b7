import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import type { HistoricReading } from '../../src/store/store.ts'
import { typicalWeekOf } from '../support/learned.ts'
import { DAY_MS, STEP_MS, workingCarPark } from '../support/made-up-counts.ts'
import { answers, entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import { makeParking } from '../support/parking-service.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite, type Site } from '../support/site.ts'

const CODES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
const NOW = Math.floor(Date.now() / STEP_MS) * STEP_MS
const TWO_YEARS_MS = 2 * 366 * DAY_MS

/** The readings of eight car parks every five minutes or so, from one instant until before another. */
function* eightCarParks(from: number, to: number): Generator<HistoricReading> {
  const counts = CODES.map((_, seed) => workingCarPark(from, to, { seed: seed + 1 }))
  for (let at = from; at < to; at += STEP_MS)
    for (const [place, code] of CODES.entries()) {
      const spaces = counts[place]?.next().value?.spaces ?? 0
      // The feed's own times are never quite five minutes apart.
      yield {
        at: at - Math.floor((at / 7) % 9000),
        code,
        name: `Car park ${code}`,
        spaces,
        open: true,
        status: 'good',
      }
    }
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

async function sizeMb(site: Site): Promise<number> {
  return (await stat(join(site.data, 'registry.sqlite'))).size / 1e6
}

async function residentMb({ child }: Serving): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

const noProc = process.platform !== 'linux' && 'memory is read from /proc (Linux)'

test('two years of eight car parks', { skip: noProc }, async t => {
  const site = await makeSite(t)
  const begun = performance.now()
  const { added: saved } = await site.store.readings.saveHistory(eightCarParks(NOW - TWO_YEARS_MS, NOW))
  t.diagnostic(
    `${saved} readings saved in ${((performance.now() - begun) / 1000).toFixed(1)} s, ${(await sizeMb(site)).toFixed(1)} MB on disk`,
  )
  assert.equal(saved, (TWO_YEARS_MS / STEP_MS) * CODES.length)

  await t.test('take less than 100 MB', async () => {
    assert.ok((await sizeMb(site)) < 100)
  })

  await t.test('are learned from at the start without holding up the process', async t => {
    const memory = () => process.memoryUsage().arrayBuffers / 1e6
    const before = memory()
    const { parking } = makeParking(t, site.store.readings, NOW)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const from = performance.now()
    await parking.start()
    delay.disable()
    const [tookMs, longestMs] = [performance.now() - from, delay.max / 1e6]
    t.diagnostic(
      `12 weeks learned in ${tookMs.toFixed(0)} ms, the longest turn ${longestMs.toFixed(0)} ms; ${(memory() - before).toFixed(1)} MB of buffers kept`,
    )
    assert.ok(longestMs < tookMs / 4, 'in many turns')
    assert.equal(parking.model().typical('A').reason, null)
  })

  await t.test('are given by the hour over HTTP, a year at once', async t => {
    const upstream = await startUpstream(
      answers(
        payload(
          CODES.map(code => entry(code, 50)),
          new Date(NOW).toISOString(),
        ),
      ),
    )
    t.after(() => upstream.close())
    const from = performance.now()
    const serving = await site.serve({ LIVE_FEED_URL: upstream.url })
    t.diagnostic(
      `serves after ${(performance.now() - from).toFixed(0)} ms, ${(await residentMb(serving)).toFixed(0)} MB resident`,
    )
    await typicalWeekOf(serving, 'A')
    const iso = (at: number) => new Date(at).toISOString()
    const ask = async (code: string, daysAgo: number) => {
      const to = NOW - daysAgo * DAY_MS
      const path = `/v1/carparks/${code}/history?interval=1h&from=${iso(to - 365 * DAY_MS)}&to=${iso(to)}`
      const asked = performance.now()
      const { status, text } = await serving.get(path)
      const tookMs = performance.now() - asked
      assert.equal(status, 200, text.slice(0, 300))
      return { tookMs, text }
    }
    const { results } = JSON.parse((await ask('A', 1)).text)
    // Where NOW is no full hour, the first and the last are a part of one.
    assert.ok(results.length === 365 * 24 || results.length === 365 * 24 + 1, `${results.length} hours`)
    assert.ok(results.every(({ count }: { count: number }) => count > 0))
    const [cold, warm]: [number[], number[]] = [[], []]
    for (let n = 0; n < 5; n++)
      for (const code of CODES) {
        const [first, again] = [await ask(code, n * 7 + 2), await ask(code, n * 7 + 2)]
        assert.equal(again.text, first.text)
        cold.push(first.tookMs)
        warm.push(again.tookMs)
      }
    t.diagnostic(
      `median ${median(cold).toFixed(1)} ms asked for the first time (at most ${Math.max(...cold).toFixed(0)}), ${median(warm).toFixed(1)} ms again`,
    )
  })
})
