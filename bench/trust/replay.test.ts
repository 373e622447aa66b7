import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { localClock } from '../../src/parking/local-clock.ts'
import { realDataMissing, realPath } from '../../test/support/real-data.ts'
import { readHistoryFile } from '../history-input.ts'
import { daytimeMinutes } from './daytime.ts'
import { alarmFor, isKnown, KNOWN_FREEZES } from './known-freezes.ts'
import { type Alarm, replay } from './replay.ts'
import { replayTrends } from './trends.ts'

/** Freezes that cannot be found in time: at 0 in a car park that is often full, by night, or with some movement. */
const NOT_IN_TIME = [
  'alone, stirs twice',
  'no count, shown as 0, first really full',
  'no count, shown as 0, by night to the file’s end',
]
const MOST_DAYTIME_MINUTES = 90

const clock = localClock('Europe/Jersey')
const history = (name: string) => readHistoryFile(realPath(`parking-history/${name}`), clock.timeZone)
const replayed = async (name: string) => replay(await history(name), clock)

/** Car parks whose freezes within the history were found too late or not at all. */
function late(alarms: readonly Alarm[], first: number, last: number): string[] {
  return KNOWN_FREEZES.filter(
    ({ from, to, what }) => to > first && from < last && !NOT_IN_TIME.includes(what),
  )
    .flatMap(known => known.codes.map(code => ({ code, known, alarm: alarmFor(known, code, alarms) })))
    .filter(
      ({ known, alarm }) =>
        alarm === undefined ||
        daytimeMinutes(clock, known.from, Math.max(known.from, alarm.foundAt)) > MOST_DAYTIME_MINUTES,
    )
    .map(({ code, known }) => `${code}: ${known.what}`)
}

describe('the real history', { skip: realDataMissing }, () => {
  it('has its known freezes found within 90 minutes of daytime, and less than one false alarm a month', async () => {
    const { alarms, first, last, months } = await replayed('parking-spaces-2024-09_2025-10.csv')
    assert.deepEqual(late(alarms, first, last), [])
    for (const [code, inMonths] of months) {
      const unknown = alarms.filter(alarm => alarm.code === code && !isKnown(alarm))
      assert.ok(unknown.length < inMonths, `${code}: ${unknown.length} in ${inMonths} months`)
    }
  })

  it('has few trends with the wrong sign, and far fewer than a comparison of raw counts', async () => {
    const { raw, model } = replayTrends(await history('parking-spaces-2024-09_2025-10.csv'), clock)
    assert.ok(model.wrong < model.shown / 5000, `${model.wrong} of ${model.shown}`)
    assert.ok(model.wrong * 4 < raw.wrong, `${model.wrong} instead of ${raw.wrong}`)
    assert.ok(model.fromBad < raw.fromBad && model.shown > raw.shown * 0.99)
  })

  it('of three weeks in 2024, from nothing, has its one freeze found and nothing else', async () => {
    const { alarms, shares } = await replayed('scrape-2024-02.csv')
    assert.deepEqual(
      alarms.map(({ code }) => code),
      ['LESJARDIN'],
    )
    assert.ok(isKnown(alarms[0] as Alarm))
    assert.deepEqual([...(shares.get('TEST')?.keys() ?? [])].sort(), ['closed', 'implausible'])
  })
})
