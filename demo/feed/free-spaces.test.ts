import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { freeSpaces, TICK_MS } from './free-spaces.ts'
import { LIVE_CARPARKS, type LiveCarpark } from './live-carparks.ts'

/** The Mondays of weeks in winter and summer. */
const MONDAYS = ['2025-01-13', '2025-02-10', '2025-06-16', '2025-10-06', '2026-03-02']
const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })

describe('free spaces', () => {
  test('are whole, never negative and never more than can be used', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LIVE_CARPARKS), instant, fc.integer(), (carpark, at, seed) => {
        const free = freeSpaces(carpark, at, { seed })
        assert.ok(Number.isInteger(free) && free >= 0 && free <= carpark.spaces - carpark.unusable, `${free}`)
      }),
      { numRuns: 2000 },
    )
  })

  test('follow from the seed, the car park and the instant alone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LIVE_CARPARKS), instant, fc.integer(), (carpark, at, seed) => {
        const asked = [freeSpaces(carpark, at, { seed }), freeSpaces(carpark, new Date(at), { seed })]
        assert.equal(asked[0], asked[1])
      }),
    )
    const day = (seed: number) =>
      everyTick('2025-06-16T08:00Z', 60).map(at => freeSpaces(first('commuters'), at, { seed }))
    assert.notDeepEqual(day(1), day(2))
  })

  test('on weekdays noon is much fuller than 4 am', () => {
    for (const carpark of LIVE_CARPARKS)
      for (const monday of MONDAYS)
        for (let day = 0; day < 5; day++) {
          const [night, noon] = [localHour(monday, day, 4), localHour(monday, day, 12)]
          assert.ok(
            freeSpaces(carpark, noon) < freeSpaces(carpark, night) * 0.7,
            `${carpark.name} ${noon.toISOString()}`,
          )
        }
  })

  test('shoppers come on Saturdays, commuters do not, and Sundays are quiet', () => {
    const mean = (carpark: LiveCarpark, day: number) =>
      MONDAYS.reduce((sum, monday) => sum + freeSpaces(carpark, localHour(monday, day, 12)), 0) /
      MONDAYS.length
    const [shoppers, commuters] = [first('shoppers'), first('commuters')]
    assert.ok(mean(shoppers, 5) < shoppers.spaces * 0.2)
    assert.ok(mean(commuters, 5) > mean(commuters, 2) + commuters.spaces * 0.25)
    for (const carpark of LIVE_CARPARKS) assert.ok(mean(carpark, 6) > carpark.spaces * 0.5, carpark.name)
  })

  test('visibly move by day: most readings differ from the one before, none by more than a few cars', () => {
    const carpark = first('commuters')
    const readings = everyTick('2025-06-18T07:00Z', 600).map(at => freeSpaces(carpark, at))
    const steps = readings.slice(1).map((free, index) => Math.abs(free - (readings[index] ?? free)))
    assert.ok(steps.filter(step => step > 0).length > steps.length / 2)
    assert.ok(Math.max(...steps) < carpark.spaces * 0.03, `${Math.max(...steps)}`)
  })

  test('do not jump at midnight, nor where the clocks change', () => {
    for (const carpark of LIVE_CARPARKS)
      for (const start of [
        '2025-06-20T22:00Z',
        '2025-06-21T22:00Z',
        '2025-03-30T00:00Z',
        '2025-10-26T00:00Z',
      ]) {
        const readings = everyTick(start, 360).map(at => freeSpaces(carpark, at))
        const steps = readings.slice(1).map((free, index) => Math.abs(free - (readings[index] ?? free)))
        assert.ok(Math.max(...steps) <= Math.max(3, carpark.spaces * 0.02), `${carpark.name} ${start}`)
      }
  })
})

function first(use: LiveCarpark['use']): LiveCarpark {
  const found = LIVE_CARPARKS.find(carpark => carpark.use === use)
  assert.ok(found)
  return found
}

function everyTick(start: string, count: number): Date[] {
  return Array.from({ length: count }, (_, tick) => new Date(Date.parse(start) + tick * TICK_MS))
}

/** The time of an hour on the island's clocks. In the weeks above, they are an hour ahead of UTC from April to October. */
function localHour(monday: string, day: number, hour: number): Date {
  const month = Number(monday.slice(5, 7))
  const ahead = month >= 4 && month <= 10 ? 1 : 0
  return new Date(Date.parse(`${monday}T00:00Z`) + (day * 24 + hour - ahead) * 60 * 60 * 1000)
}
