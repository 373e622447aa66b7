import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { daysBefore, inJersey, told } from '../support/counted-past.ts'
import { judgedHarbour } from '../support/judged-harbour.ts'
import { openPage, textOf } from '../support/pages.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const FORECAST = '/v1/carparks/HARBST/forecast'
const TYPICAL = '/v1/carparks/HARBST/typical'

/** Within the twelve weeks before Tuesday 3 June 2025; on bank holidays hardly anybody parks. */
const BANK_HOLIDAYS = ['2025-04-18', '2025-04-21', '2025-05-05', '2025-05-09', '2025-05-26']
const NOW = inJersey('2025-06-03T09:30')
const PAST = daysBefore('2025-06-03T09:30', 84, BANK_HOLIDAYS)
const LAST = PAST.at(-1)?.spaces ?? 0
const LARGEST = Math.max(...PAST.map(({ spaces }) => spaces))

interface Entry {
  readonly minutesAhead: number
  readonly at: string
  readonly expected: number
  readonly low: number
  readonly high: number
  readonly chanceOfTen: number
  readonly error: {
    meanAbsoluteError: number
    persistenceMeanAbsoluteError: number
    coverage: number
    count: number
  }
}
interface Quarter {
  readonly time: string
  readonly p10: number | null
  readonly p50: number | null
  readonly p90: number | null
  readonly days: number
}
interface Day {
  readonly day: string
  readonly days: number
  readonly quarters: readonly Quarter[]
}

/** A service that has counted for the last so many of those days. */
function afterDays(t: TestContext, days = 84) {
  const history = PAST.filter(({ at }) => at >= NOW - days * DAY)
  return judgedHarbour(t, { at: NOW, history, observation: told(NOW, { spaces: LAST }) })
}

test('the forecast of a car park with twelve weeks of history', async t => {
  const { get, be, app } = await afterDays(t)
  be(NOW + 2 * MINUTE)
  const forecast = await get(FORECAST)
  const results: Entry[] = forecast.results

  await t.test('goes a quarter, a half, one and two hours ahead from the last count', () => {
    const { results: _, ...about } = forecast
    assert.deepEqual(about, {
      ...{ code: 'HARBST', name: 'Harbour St', from: new Date(NOW).toISOString() },
      ...{ reason: null, detail: null },
    })
    assert.deepEqual(
      results.map(({ minutesAhead, at }) => [minutesAhead, Date.parse(at)]),
      [15, 30, 60, 120].map(minutes => [minutes, NOW + minutes * MINUTE]),
    )
  })

  await t.test('is in the list of live spaces where that is asked for', async () => {
    const list = await get('/v1/carparks/live-spaces?include=forecast')
    assert.deepEqual(
      list.results.map(({ code, forecast }: { code: string; forecast: Entry[] }) => [code, forecast]),
      [['HARBST', results]],
    )
    assert.equal(list.missing, undefined)
  })

  await t.test('has whole numbers of spaces, the expected one within its interval', () => {
    for (const { expected, low, high } of results) {
      assert.ok([expected, low, high].every(Number.isInteger))
      assert.ok(
        0 <= low && low <= expected && expected <= high && high <= LARGEST,
        `${low} ${expected} ${high}`,
      )
    }
  })

  await t.test('has the chance of ten spaces, in hundredths: certain where the interval is far above', () => {
    for (const { low, chanceOfTen } of results) {
      assert.equal(chanceOfTen, Math.round(chanceOfTen * 100) / 100)
      assert.ok(chanceOfTen <= 1 && chanceOfTen >= (low > 50 ? 0.95 : 0), `${low} ${chanceOfTen}`)
    }
  })

  await t.test('is on the page of car parks, for the time at which people arrive', async () => {
    for (const { minutesAhead, at, expected, chanceOfTen } of results) {
      const { body } = await openPage(app, `/parking?sort=chance&minutes=${minutesAhead}`)
      const words = textOf(body)
      const tenths = Math.round(chanceOfTen * 10)
      const chance =
        tenths === 10 ? 'more than 9 in 10' : tenths === 0 ? 'less than 1 in 10' : `${tenths} in 10`
      const time = new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Jersey', timeStyle: 'short' })
      assert.ok(words.includes(`about ${expected} `), words)
      assert.ok(words.includes(`At least ten spaces at ${time}: ${chance}`), words)
    }
  })

  await t.test('tells how such forecasts fared, which is better than that all stays as it is', () => {
    for (const { minutesAhead, error } of results) {
      assert.ok(error.count >= 100 && error.coverage > 0.6 && error.coverage <= 1, JSON.stringify(error))
      if (minutesAhead >= 60)
        assert.ok(error.meanAbsoluteError < error.persistenceMeanAbsoluteError, JSON.stringify(error))
    }
  })

  await t.test('knows that it fills up in the morning', () => {
    const last = results.at(-1) ?? assert.fail()
    assert.ok(last.expected < LAST && last.high < 300, JSON.stringify(last))
  })
})

test('the typical week', async t => {
  const { get, app } = await afterDays(t)
  const typical = await get(TYPICAL)
  const days: Day[] = typical.results

  await t.test('has seven weekdays and bank holidays, each with every quarter of an hour', () => {
    const { results: _, ...about } = typical
    assert.deepEqual(about, {
      ...{ code: 'HARBST', name: 'Harbour St', from: '2025-03-12', to: '2025-06-03' },
      ...{ reason: null, detail: null },
    })
    assert.deepEqual(
      days.map(({ day, days }) => `${day} ${days}`),
      [
        ...['sunday 12', 'monday 9', 'tuesday 12', 'wednesday 12', 'thursday 12', 'friday 10'],
        ...['saturday 12', 'bank-holiday 5'],
      ],
    )
    for (const { quarters } of days) {
      assert.equal(quarters.length, 96)
      assert.deepEqual(
        [quarters[0]?.time, quarters[37]?.time, quarters[95]?.time],
        ['00:00', '09:15', '23:45'],
      )
    }
  })

  await t.test('has percentiles in their order', () => {
    for (const { day, days: of, quarters } of days)
      for (const { time, p10, p50, p90, days: known } of quarters) {
        assert.ok(p10 !== null && p50 !== null && p90 !== null, `${day} ${time}`)
        assert.ok(0 <= p10 && p10 <= p50 && p50 <= p90 && p90 <= LARGEST, `${day} ${time}`)
        assert.ok(known > 2 && known <= of)
      }
  })

  await t.test('keeps bank holidays apart', () => {
    const noon = (name: string) => days.find(({ day }) => day === name)?.quarters[48]
    assert.ok((noon('monday')?.p90 ?? 999) < 150)
    assert.ok((noon('friday')?.p90 ?? 999) < 150)
    assert.ok((noon('bank-holiday')?.p10 ?? 0) > 200)
  })

  await t.test('is the same while nothing is counted', async () => {
    const { headers } = await app.inject(TYPICAL)
    const again = await app.inject({ url: TYPICAL, headers: { 'if-none-match': String(headers.etag) } })
    assert.equal(again.statusCode, 304)
  })
})

test('there is no forecast with too short a history, and no typical week with too few days', async t => {
  const expected = [
    [2, 'TOO_LITTLE_PAST', 'TOO_LITTLE_PAST'],
    [9, 'TOO_LITTLE_PAST', 'TOO_LITTLE_PAST'],
    [12, 'NOT_YET_MEASURED', 'TOO_LITTLE_PAST'],
    [16, 'NOT_YET_MEASURED', null],
    [28, null, null],
  ] as const
  for (const [days, forecast, typical] of expected) {
    const { get } = await afterDays(t, days)
    const answers = [await get(FORECAST), await get(TYPICAL)]
    assert.deepEqual(
      answers.map(({ reason }) => reason),
      [forecast, typical],
      `${days} days`,
    )
    for (const { reason, detail, from, results } of answers)
      if (reason === null) assert.ok(detail === null && from !== null && results.length > 0)
      else assert.ok(detail.length > 20 && from === null && results.length === 0)
  }
})

test('with too few days of a kind, quarter-hours have no percentiles', async t => {
  const { get } = await afterDays(t, 16)
  const { results }: { results: Day[] } = await get(TYPICAL)
  const quarter = (kind: string) => results.find(({ day }) => day === kind)?.quarters[20]
  assert.deepEqual(quarter('sunday'), { time: '05:00', p10: null, p50: null, p90: null, days: 0 })
  assert.equal(quarter('tuesday')?.days, 3)
})

test('there is no forecast from a count that cannot be trusted', async t => {
  const why = async ({ get }: Awaited<ReturnType<typeof afterDays>>) => {
    const { reason, detail, from, results } = await get(FORECAST)
    if (reason !== null) assert.deepEqual([from, results], [null, []])
    return [reason, detail]
  }

  await t.test('nor does none for more than a quarter of an hour', async t => {
    const service = await afterDays(t)
    service.be(NOW + 15 * MINUTE)
    assert.deepEqual(await why(service), [null, null])
    service.be(NOW + 16 * MINUTE)
    const [reason, detail] = await why(service)
    assert.equal(reason, 'NO_RECENT_COUNT')
    assert.match(detail, /15 minutes/)
    await service.tell(told(NOW + 240 * MINUTE, { spaces: 90 }))
    assert.deepEqual(await why(service), [null, null])
  })

  await t.test('as when it is frozen', async t => {
    const service = await afterDays(t)
    for (let step = 1; step <= 18; step++) await service.tell(told(NOW + step * 5 * MINUTE, { spaces: LAST }))
    const [reason, detail] = await why(service)
    assert.equal(reason, 'COUNT_NOT_TRUSTED')
    assert.match(detail, /hardly changed/)
  })

  await t.test('as when the car park is closed, or missing from the feed', async t => {
    const service = await afterDays(t)
    await service.tell(told(NOW + 5 * MINUTE, { spaces: LAST, open: false }))
    assert.deepEqual(await why(service), ['COUNT_NOT_TRUSTED', 'The feed says that this car park is closed.'])
    await service.tell(told(NOW + 10 * MINUTE, { code: 'OTHER', spaces: 1 }))
    assert.deepEqual(await why(service), ['COUNT_NOT_TRUSTED', 'The feed no longer lists this car park.'])
    await service.tell(told(NOW + 15 * MINUTE, { spaces: LAST - 20 }))
    assert.deepEqual(await why(service), [null, null])
  })

  await t.test('but one wild count leaves that of the good one before', async t => {
    const service = await afterDays(t)
    await service.tell(told(NOW + 5 * MINUTE, { spaces: 0 }))
    const { from, reason } = await service.get(FORECAST)
    assert.deepEqual([from, reason], [new Date(NOW).toISOString(), null])
  })
})

test('readings of a stuck sensor do not affect the typical week', async t => {
  const frozen = PAST.map(reading => {
    const hour = Math.floor((reading.at - inJersey('2025-06-02T00:00')) / 3_600_000)
    return hour >= 10 && hour < 20 ? { ...reading, spaces: 77 } : reading
  })
  const mondays = async (history: typeof PAST) => {
    const { get } = await judgedHarbour(t, { at: NOW, history, observation: told(NOW, { spaces: LAST }) })
    const { results }: { results: Day[] } = await get(TYPICAL)
    return results[1]?.quarters.slice(48, 64).map(({ days }) => days)
  }
  assert.deepEqual(await mondays(PAST), Array(16).fill(9))
  assert.deepEqual(await mondays(frozen), Array(16).fill(8))
})
