import type { ColumnScan, RowBatch, Words } from '../../src/store/column-scan.ts'
import { fold } from '../../src/values/text.ts'

const MAKES = ['Ford', 'Citroën', 'Renault', 'B.M.W.', 'Lancia']
const COLORS = ['Blue', 'Red', 'Grey']
const FUELS = ['PETROL', 'HEAVY_OIL']
const BATCH = 4096

/** Makes the column scan of a table of this many vehicles without a store, which takes minutes for a million. */
export function columnsOfVehicles(count: number): ColumnScan {
  const dictionaries: Record<string, readonly string[]> = {
    make: MAKES,
    model: Array.from({ length: 50_000 }, (_, i) => `Model ${i}`),
    color: COLORS,
    fuelType: FUELS,
  }
  return {
    words: async (column): Promise<Words> => {
      const values = dictionaries[column] ?? []
      return { codes: [...values.keys()], values, folded: values.map(fold) }
    },
    async *rows() {
      for (let from = 0; from < count; from += BATCH)
        yield batchOf(from, Math.min(count, from + BATCH), count)
    },
  }
}

function batchOf(from: number, to: number, count: number): RowBatch {
  const rows = Array.from({ length: to - from }, (_, i) => from + i)
  const hashes = Buffer.alloc(rows.length * 32)
  for (const [i, row] of rows.entries()) hashes.writeUInt32BE(Math.imul(row, 2_654_435_761) >>> 0, i * 32)
  return {
    rows: rows.length,
    columns: [
      rows.map(row => row % MAKES.length),
      rows.map(row => (row * 7919) % 50_000),
      rows.map(row => row % COLORS.length),
      rows.map(row => (row % 11 === 0 ? null : 900 + (row % 40) * 50)),
      rows.map(row => row % FUELS.length),
      rows.map(row => (row % 13 === 0 ? null : 3000 + ((row * 31) % 9000))),
      rows.map(row => 20_000 - Math.floor((row / count) * 15_000)),
      hashes,
    ],
  }
}
