import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankHoliday } from './bank-holidays.ts'

const DAY_MS = 86_400_000
const dayOf = (date: string) => Date.parse(date) / DAY_MS

/** All holidays of a year as "MM-DD name". */
function holidaysOf(year: number): string[] {
  const found: string[] = []
  for (let day = dayOf(`${year}-01-01`); day < dayOf(`${year + 1}-01-01`); day++) {
    const name = bankHoliday(day)
    if (name !== undefined) found.push(`${new Date(day * DAY_MS).toISOString().slice(5, 10)} ${name}`)
  }
  return found
}

test('an ordinary year has the nine holidays of the island', () => {
  assert.deepEqual(holidaysOf(2025), [
    "01-01 New Year's Day",
    '04-18 Good Friday',
    '04-21 Easter Monday',
    '05-05 Early May Bank Holiday',
    '05-09 Liberation Day',
    '05-26 Spring Bank Holiday',
    '08-25 Summer Bank Holiday',
    '12-25 Christmas Day',
    '12-26 Boxing Day',
  ])
})

test('a holiday on a weekend moves to the next free working day', () => {
  assert.deepEqual(holidaysOf(2021).slice(-4), [
    '12-25 Christmas Day',
    '12-26 Boxing Day',
    '12-27 Christmas Day (substitute day)',
    '12-28 Boxing Day (substitute day)',
  ])
  assert.deepEqual(holidaysOf(2022).slice(-3), [
    '12-25 Christmas Day',
    '12-26 Boxing Day',
    '12-27 Christmas Day (substitute day)',
  ])
  assert.deepEqual(holidaysOf(2026).slice(-2), ['12-26 Boxing Day', '12-28 Boxing Day (substitute day)'])
  assert.equal(bankHoliday(dayOf('2022-01-03')), "New Year's Day (substitute day)")
  assert.equal(bankHoliday(dayOf('2023-01-02')), "New Year's Day (substitute day)")
})

test('Liberation Day never moves, except from Sunday in 2010', () => {
  assert.equal(bankHoliday(dayOf('2026-05-09')), 'Liberation Day')
  assert.equal(bankHoliday(dayOf('2026-05-11')), undefined)
  assert.equal(bankHoliday(dayOf('2021-05-09')), undefined)
  assert.equal(bankHoliday(dayOf('2021-05-10')), undefined)
  assert.equal(bankHoliday(dayOf('2010-05-09')), 'Liberation Day')
})

test('days appointed for one year are known, and the spring holiday moved for jubilees', () => {
  const days = '2020-05-08 2021-09-27 2022-06-02 2022-06-03 2022-09-19 2023-05-08 2024-07-15'.split(' ')
  for (const date of days) assert.ok(bankHoliday(dayOf(date)), date)
  assert.equal(bankHoliday(dayOf('2022-05-30')), undefined)
  assert.equal(bankHoliday(dayOf('2025-09-26')), undefined)
  assert.equal(bankHoliday(dayOf('2025-09-29')), undefined)
})

test('Easter falls where the calendar has it', () => {
  const mondays = ['2016-03-28', '2019-04-22', '2024-04-01', '2027-03-29', '2038-04-26', '2049-04-19']
  for (const date of mondays) assert.equal(bankHoliday(dayOf(date)), 'Easter Monday', date)
})
