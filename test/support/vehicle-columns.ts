import { buildTableData, type ColumnScan } from '../../src/columnar/build/build-table.ts'
import { type ColumnarTable, openColumnarTable } from '../../src/columnar/columnar-table.ts'
import { VEHICLES } from './stored-vehicles.ts'

const MAKES = ['Ford', 'Citroën', 'Renault', 'B.M.W.', 'Lancia']
const COLORS = ['Blue', 'Red', 'Grey']
const FUELS = ['PETROL', 'HEAVY_OIL']
const BATCH = 4096

/** Makes a columnar table of this many vehicles without a store, which takes minutes for a million. */
export async function tableOfVehicles(count: number, prerenderBytes: number): Promise<ColumnarTable> {
  return openColumnarTable(
    VEHICLES,
    await buildTableData(columnsOfVehicles(count), VEHICLES, { prerenderBytes }),
  )
}

function columnsOfVehicles(count: number): ColumnScan {
  const series = (length: number, first: number, step: number) =>
    Array.from({ length }, (_, i) => first + i * step)
  const values: Record<string, ReturnType<ColumnScan['values']>> = {
    make: MAKES,
    model: Array.from({ length: 50_000 }, (_, i) => `Model ${i}`),
    color: COLORS,
    cylinderCapacity: [null, ...series(40, 900, 50)],
    fuelType: FUELS,
    firstRegisteredAt: [null, ...series(9000, 3000, 1)],
    firstRegisteredInJerseyAt: series(15_000, 20_000, -1),
  }
  return {
    rows: count,
    values: column => values[column] ?? [null],
    *cells(column) {
      for (let from = 0; from < count; from += BATCH)
        yield cellsOf(column, from, Math.min(count, from + BATCH), count)
    },
  }
}

function cellsOf(column: string, from: number, to: number, count: number): Uint32Array | Uint8Array {
  const rows = Array.from({ length: to - from }, (_, i) => from + i)
  if (column === 'hash') {
    const hashes = Buffer.alloc(rows.length * 32)
    for (const [i, row] of rows.entries()) hashes.writeUInt32BE(Math.imul(row, 2_654_435_761) >>> 0, i * 32)
    return hashes
  }
  return Uint32Array.from(rows, CELLS[column] ?? (row => Math.floor((row / count) * 15_000)))
}

/** The place of the value of a row by column; without that by which rows are ordered. */
const CELLS: Readonly<Record<string, (row: number) => number>> = {
  make: row => row % MAKES.length,
  model: row => (row * 7919) % 50_000,
  color: row => row % COLORS.length,
  cylinderCapacity: row => (row % 11 === 0 ? 0 : 1 + (row % 40)),
  fuelType: row => row % FUELS.length,
  firstRegisteredAt: row => (row % 13 === 0 ? 0 : 1 + ((row * 31) % 9000)),
}
