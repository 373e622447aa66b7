import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { feedTime, simulatedCounts } from '../../demo/feed/feed-payload.ts'
import { localClock } from '../../src/parking/local-clock.ts'
import { createModel } from '../../src/parking/model.ts'
import { describeAssessmentAt } from '../../src/parking/quality/quality.ts'

const CODE = 'CHIMERAST'
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const clock = localClock('Europe/Jersey')

const shown = JSON.parse(
  /^\{"code":"CHIMERAST".*\}$/m.exec(
    readFileSync(new URL('../../README.md', import.meta.url), 'utf8'),
  )?.[0] ?? 'null',
)

/** The count that README.md shows and its quality, at each step of two weeks that follow twelve weeks of the demo's past. */
function* later(start: string) {
  const first = Date.parse(start)
  let now = first
  const model = createModel({ clock, records: () => new Map([[CODE, 418]]), now: () => now }, [])
  for (let at = first - 84 * DAY_MS; at < first + 14 * DAY_MS; at += (at < first ? 15 : 5) * MINUTE_MS) {
    const time = feedTime(new Date(at))
    const [count] = simulatedCounts(time).filter(({ code }) => code === CODE)
    assert.ok(count)
    const { carpark: _, ...entry } = { ...count, status: 'good' }
    model.take({ timestamp: time.toISOString(), entries: [entry] })
    now = at
    const answer = {
      ...{ ...entry, ...describeAssessmentAt(model.quality(CODE), at) },
      trend: model.trend(CODE),
    }
    if (at >= first) yield { at, answer }
  }
}

/** Without times, which differ each day. */
const lasting = ({ observedAt: _, changedAt: __, ageSeconds: ___, ...rest }: Record<string, unknown>) => rest

// Across the ends of summer time, Christmas and Easter.
for (const start of ['2026-03-23T00:00:00Z', '2026-10-19T00:00:00Z', '2026-12-20T00:00:00Z'])
  test(`the counter that README.md shows is stuck at any time of the two weeks from ${start.slice(0, 10)}`, () => {
    assert.equal(shown.quality, 'frozen')
    for (const { at, answer } of later(start)) {
      const when = new Date(clock.wallTime(at)).toISOString()
      const isStill = when.slice(11, 16) > '03:15' && when.slice(11, 16) < '03:50'
      if (isStill) assert.equal(answer.quality, 'stale', when)
      else assert.deepEqual(lasting(answer), lasting(shown), when)
    }
  })
