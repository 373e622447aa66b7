import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../../test/support/store-engines.ts'
import { appendAll, publishAll, VEHICLES, vehicles } from '../../test/support/stored-vehicles.ts'
import type { StoredRecord } from '../query/query.ts'
import type { ColumnScan } from './column-scan.ts'
import type { TableLayout } from './layout.ts'
import { openStore, storeAt } from './open-store.ts'
import { DamagedReleaseError } from './store.ts'

/** One column is called `rows`, as the table of all rows is. */
const LAYOUT: TableLayout = {
  ...VEHICLES,
  columns: VEHICLES.columns.map(one => (one.name === 'fuelType' ? { ...one, name: 'rows' } : one)),
}
const NUMBERS = [0.1 + 0.2, 1 / 3, -1e300, 5e-10, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), 12.5, null, 0, -7]

/** Records in several batches, of which the first has only whole numbers. */
const RECORDS = vehicles(9000).map(
  ({ fuelType, ...record }, n): StoredRecord => ({
    ...{ ...record, rows: fuelType, model: n % 3 === 0 ? 'again' : `"Wörd\n\0 ${n}` },
    cylinderCapacity:
      String(record.firstRegisteredInJerseyAt) > '1992' ? n * 2 ** 40 : (NUMBERS[n % NUMBERS.length] ?? null),
  }),
)

/** All cells by column, digests as text, values in place of dictionary codes. */
async function cellsOf(scan: ColumnScan): Promise<Record<string, unknown[]>> {
  const cells: Record<string, unknown[]> = Object.fromEntries(LAYOUT.columns.map(({ name }) => [name, []]))
  const words = new Map<string, Map<number, string>>()
  for (const { name, type } of LAYOUT.columns) {
    if (type !== 'word') continue
    const { codes, values, folded } = await scan.words(name)
    assert.ok(values.length === codes.length && folded.length === codes.length)
    words.set(name, new Map(codes.map((code, place) => [code, values[place] ?? ''])))
  }
  let batches = 0
  for await (const { rows, columns } of scan.rows()) {
    batches++
    for (const [place, { name, type }] of LAYOUT.columns.entries()) {
      const batch = columns[place]
      const digest = (row: number) => Buffer.from((batch as Uint8Array).subarray(row * 32, row * 32 + 32))
      for (let row = 0; row < rows; row++) {
        const cell = type === 'digest' ? digest(row).toString('hex') : batch?.[row]
        cells[name]?.push(type === 'word' ? words.get(name)?.get(Number(cell)) : cell)
      }
    }
  }
  assert.ok(batches > 1)
  return cells
}

for (const engine of ENGINES)
  test(`${engine.name}: another thread reads all cells, as they were given`, async t => {
    const address = await engine.emptyStore(t)
    const store = await openStore(address)
    t.after(() => store.close())
    const release = await publishAll(store, 'things', LAYOUT, RECORDS)
    const scan = await storeAt(address).openColumnScan(release, LAYOUT)
    const cells = await cellsOf(scan)
    await scan.close()
    const opened = await store.releases.open(release, LAYOUT)
    let row = 0
    for await (const record of opened.records()) {
      for (const { name, type } of LAYOUT.columns) {
        const day = record[name] === null ? null : Date.parse(String(record[name])) / 86_400_000
        assert.equal(cells[name]?.[row], type === 'day' ? day : record[name])
      }
      row++
    }
    assert.equal(row, RECORDS.length)
    await opened.close()
    await assert.rejects(
      storeAt(address).openColumnScan({ ...release, number: 7 }, LAYOUT),
      DamagedReleaseError,
    )
  })

test('the same records have the same hash and repeats on every engine', async t => {
  const records = [...vehicles(1000), ...vehicles(100)]
  const sealed = []
  for (const engine of ENGINES) {
    const store = await openStore(await engine.emptyStore(t))
    const staging = await store.releases.stage('vehicles', VEHICLES)
    sealed.push(await appendAll(staging, records))
    await staging.discard()
    await store.close()
  }
  for (const one of sealed) assert.deepEqual(one, sealed[0])
  assert.equal(sealed[0]?.repeated, 100)
})
