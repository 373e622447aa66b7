import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HARBOUR, told } from '../support/counted-past.ts'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'

const DAY = 86_400_000
const TO = Date.parse('2025-07-01T12:00:00Z')
const PATHS = { one: '/v1/carparks/HARBST/history', all: '/v1/carparks/live-spaces/history' }

/** The longest period of each interval, in days, and which interval takes a day more. */
const LONGEST = {
  one: { raw: [31, '15m'], '15m': [100, '1h'], '1h': [400, '1d'], '1d': [1100, undefined] },
  all: { raw: [4, '15m'], '15m': [13, '1h'], '1h': [50, '1d'], '1d': [140, undefined] },
} as const

async function counted(t: Parameters<typeof build>[0]) {
  const { app } = await build(t, ISLAND, { observation: told(TO, { spaces: 5 }), now: () => TO + 1000 })
  return async (path: string, query: string) => {
    const answer = await app.inject(`${path}?${query}`)
    return { status: answer.statusCode, ...answer.json() }
  }
}

const lasting = (interval: string, days: number) =>
  `interval=${interval}&from=${new Date(TO - days * DAY).toISOString()}&to=${new Date(TO).toISOString()}`

test('a response covers a maximum period; beyond it the error names an interval that allows as much', async t => {
  const get = await counted(t)
  for (const which of ['one', 'all'] as const)
    for (const [interval, [days, wider]] of Object.entries(LONGEST[which])) {
      const whole = await get(PATHS[which], lasting(interval, days))
      assert.equal(whole.status, 200, `${which} ${interval}`)
      assert.ok(whole.results.length <= 10_000)
      const { status, code, detail, errors } = await get(PATHS[which], lasting(interval, days + 1))
      assert.deepEqual([status, code, errors[0].parameter], [400, 'INVALID_PARAMETER', 'from'])
      assert.ok(detail.includes(`${days + 1} days apart, too many for interval=${interval}`), detail)
      assert.ok(errors[0].allowed.includes(`at most ${days} days`), errors[0].allowed)
      const named = /interval=(\w+) takes so many/.exec(errors[0].allowed)?.[1]
      assert.equal(named, wider)
      if (wider !== undefined) assert.equal((await get(PATHS[which], lasting(wider, days + 1))).status, 200)
    }
})

test('with more than ten car parks the maximum period is shorter, down to a day, which is then the default', async t => {
  const history = Array.from({ length: 100 }, (_, n) => ({
    ...{ at: TO - 60_000, code: `P${n}`, name: `P${n}`, spaces: n, open: true, status: 'good' },
  }))
  const { app } = await build(t, {}, { history, now: () => TO })
  const get = async (query: string) => (await app.inject(`${PATHS.all}?${query}`)).json()
  assert.match(
    (await get(lasting('1h', 6))).errors[0].allowed,
    /^at most 5 days with interval=1h; interval=1d takes/,
  )
  assert.equal((await get('interval=1h')).results.length, 100 * 5 * 24)
  assert.equal((await get('interval=15m')).results.length, 100 * 96)
})

test('the maximum period can include the 25-hour day in autumn', async t => {
  const get = await counted(t)
  const { status, results } = await get(PATHS.all, 'interval=raw&from=2024-10-24&to=2024-10-27')
  assert.deepEqual([status, results], [200, []])
})

test('a period that ends before it begins, or is out of range, is refused with what is allowed', async t => {
  const get = await counted(t)
  const wrong = [
    ['from=2025-07-02', 'from', 'must be before to'],
    ['from=2025-06-02&to=2025-06-01', 'from', 'must be before to'],
    ['from=2025-06-01T12:00Z&to=2025-06-01T12:00Z', 'from', 'must be before to'],
    ['from=2025-02-29', 'from', 'is a date that does not exist'],
    ['to=2025-06-31', 'to', 'is a date that does not exist'],
    ['from=2025-06-01T25:00Z', 'from', 'is a time that does not exist'],
    ['from=2025-06-01T12:00', 'from', 'must be a date'],
    ['from=01/06/2025', 'from', 'must be a date'],
    ['from=yesterday', 'from', 'must be a date'],
    ['to=,', 'to', 'must be a date'],
    ['from=1969-12-31&to=1970-01-05', 'from', 'is too early'],
    ['to=0000-01-01', 'to', 'is too early'],
    ['interval=30m', 'interval', 'must be one of raw, 15m, 1h, 1d'],
    ['format=xml', 'format', 'must be one of json, csv'],
  ] as const
  for (const path of Object.values(PATHS))
    for (const [query, parameter, words] of wrong) {
      const { status, code, errors } = await get(path, query)
      assert.deepEqual([status, code, errors[0].parameter], [400, 'INVALID_PARAMETER', parameter], query)
      assert.ok(errors[0].detail.startsWith(words), errors[0].detail)
      assert.ok(errors[0].allowed.length > 0)
    }
  const { errors } = await get(PATHS.one, 'interval=2h&from=x&to=y&format=csw')
  assert.deepEqual(
    errors.map(({ parameter }: { parameter: string }) => parameter),
    ['interval', 'from', 'to', 'format'],
  )
  assert.equal(errors[3].nearest, 'csv')
})

test('existing days are accepted, including leap days and 1 January 1970', async t => {
  const get = await counted(t)
  for (const day of ['2024-02-29', '2000-02-29', '1970-01-01', '9999-12-31']) {
    const answer = await get(PATHS.one, `from=${day}&to=${day}&interval=1d`)
    assert.deepEqual([answer.status, answer.code], [200, HARBOUR.code], day)
    assert.equal(answer.results.length, day < '2025' ? 1 : 0)
  }
})
