import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { DEMO_SEED, LAST_DAY } from '../island-facts.ts'
import { VEHICLE_COUNT, vehiclesCsv } from './vehicles.ts'

type Row = Readonly<Record<string, string>>

const WRITTEN_DATE = /^(0[1-9]|[12]\d|3[01])\/(0[1-9]|1[0-2])\/(19|20)\d\d$/

describe('the register of the synthetic island', () => {
  let rows: readonly Row[] = []
  before(() => {
    rows = parse([...vehiclesCsv(DEMO_SEED)].join(''), { columns: true })
  })

  test("has 131,000 vehicles under the government's headers", () => {
    assert.equal(rows.length, VEHICLE_COUNT)
    assert.equal(VEHICLE_COUNT, 131_000)
    assert.deepEqual(Object.keys(rows[0] ?? {}), [
      'MAKE',
      'MODEL',
      'COLOUR',
      'CYLINDER CAPACITY',
      'WEIGHT',
      'CO2',
      'FUEL TYPE',
      'FIRST REGISTERED',
      "REG'D IN JERSEY",
    ])
  })

  test('comes in pieces, so that the whole never lies in memory', () => {
    const sizes = [...vehiclesCsv(DEMO_SEED)].map(piece => piece.length)
    assert.ok(sizes.length > 100 && Math.max(...sizes) < 200_000)
  })

  test('has thousands of models of some ninety makes, and none holds more than an eighth', () => {
    const makes = counts(rows, 'MAKE')
    assert.ok(makes.size >= 60 && makes.size <= 120, `${makes.size} makes`)
    const largest = Math.max(...makes.values()) / rows.length
    assert.ok(largest > 0.03 && largest < 0.125, `largest share ${largest}`)
    assert.ok(new Set(rows.map(row => `${row.MAKE} ${row.MODEL}`)).size > 5000)
  })

  test('has the blanks of a real register', () => {
    const blank = (column: string) => share(rows, row => row[column] === '')
    within(blank("REG'D IN JERSEY"), 0.0005, 0.002)
    within(blank('COLOUR'), 0.0003, 0.002)
    within(blank('MODEL'), 0.0001, 0.001)
    within(blank('CYLINDER CAPACITY'), 0.0001, 0.001)
    within(blank('WEIGHT'), 0.95, 0.999)
    within(blank('CO2'), 0.3, 0.7)
    for (const column of ['MAKE', 'FUEL TYPE', 'FIRST REGISTERED']) assert.equal(blank(column), 0)
  })

  test('notes CO2 for no old vehicle and for most late ones', () => {
    const noted = (from: number, to: number) => share(between(rows, from, to), row => row.CO2 !== '')
    assert.equal(noted(1920, 2000), 0)
    assert.ok(noted(2018, 2025) > 0.75)
  })

  test('has electric vehicles in late years only, and more each year', () => {
    const electric = (from: number, to: number) =>
      share(between(rows, from, to), row => row['FUEL TYPE'] === 'Electric')
    assert.equal(electric(1920, 2010), 0)
    const growing = [electric(2011, 2014), electric(2015, 2018), electric(2019, 2021), electric(2022, 2025)]
    assert.deepEqual(
      growing,
      growing.toSorted((a, b) => a - b),
    )
    within(growing[3] ?? 0, 0.08, 0.25)
  })

  test('gives electric vehicles neither capacity nor emissions, and others both in keeping', () => {
    for (const row of rows) {
      const capacity = Number(row['CYLINDER CAPACITY'])
      if (row['FUEL TYPE'] === 'Electric')
        assert.ok(capacity === 0 && Number(row.CO2) === 0, JSON.stringify(row))
      else if (row['CYLINDER CAPACITY'] !== '') within(capacity, 49, 13_000)
      if (row['FUEL TYPE'] !== 'Electric' && row.CO2 !== '') within(Number(row.CO2), 20, 600)
    }
  })

  test('has real dates, never here before first registered, nor after the last day, nor on a Sunday', () => {
    for (const row of rows) {
      const first = iso(row['FIRST REGISTERED'])
      const here = row["REG'D IN JERSEY"] === '' ? first : iso(row["REG'D IN JERSEY"])
      assert.ok(first <= here && here <= LAST_DAY, JSON.stringify(row))
      assert.notEqual(new Date(first).getUTCDay(), 0)
      assert.notEqual(new Date(here).getUTCDay(), 0)
    }
    within(
      share(rows, row => row['FIRST REGISTERED'] === row["REG'D IN JERSEY"]),
      0.5,
      0.75,
    )
  })

  test('quotes models that hold a comma', () => {
    assert.ok(rows.some(row => row.MODEL?.includes(',')))
  })
})

function counts(rows: readonly Row[], column: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const row of rows) found.set(row[column] ?? '', (found.get(row[column] ?? '') ?? 0) + 1)
  return found
}

function share(rows: readonly Row[], holds: (row: Row) => boolean): number {
  assert.ok(rows.length > 0)
  return rows.filter(holds).length / rows.length
}

function between(rows: readonly Row[], from: number, to: number): Row[] {
  return rows.filter(row => {
    const year = Number(row['FIRST REGISTERED']?.slice(6))
    return year >= from && year <= to
  })
}

function iso(text = ''): string {
  assert.match(text, WRITTEN_DATE)
  const date = text.split('/').reverse().join('-')
  assert.equal(new Date(date).toISOString().slice(0, 10), date)
  return date
}

function within(value: number, from: number, to: number): void {
  assert.ok(value >= from && value <= to, `${value} is not from ${from} to ${to}`)
}
