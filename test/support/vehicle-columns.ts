import { buildTableData } from '../../src/columnar/build/build-table.ts'
import type { CellBatch, ColumnScan } from '../../src/columnar/build/column-scan.ts'
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
  const dictionaries: Record<string, readonly string[]> = {
    make: MAKES,
    model: Array.from({ length: 50_000 }, (_, i) => `Model ${i}`),
    color: COLORS,
    fuelType: FUELS,
  }
  return {
    rows: count,
    words: column => dictionaries[column] ?? [],
    *cells(column) {
      for (let from = 0; from < count; from += BATCH)
        yield cellsOf(column, from, Math.min(count, from + BATCH), count)
    },
  }
}

function cellsOf(column: string, from: number, to: number, count: number): CellBatch {
  const rows = Array.from({ length: to - from }, (_, i) => from + i)
  if (column === 'hash') {
    const hashes = Buffer.alloc(rows.length * 32)
    for (const [i, row] of rows.entries()) hashes.writeUInt32BE(Math.imul(row, 2_654_435_761) >>> 0, i * 32)
    return hashes
  }
  return rows.map(CELLS[column] ?? (row => 20_000 - Math.floor((row / count) * 15_000)))
}

/** The cell of a row by column; without that by which rows are ordered. */
const CELLS: Readonly<Record<string, (row: number) => number | null>> = {
  make: row => row % MAKES.length,
  model: row => (row * 7919) % 50_000,
  color: row => row % COLORS.length,
  cylinderCapacity: row => (row % 11 === 0 ? null : 900 + (row % 40) * 50),
  fuelType: row => row % FUELS.length,
  firstRegisteredAt: row => (row % 13 === 0 ? null : 3000 + ((row * 31) % 9000)),
}
