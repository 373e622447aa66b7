import type { CellBatch } from '../../store/contents.ts'
import type { Codes } from '../indexes/table-data.ts'

/** Starts a column of values that are not known beforehand: each gets a code when it is first met. */
export function startCodes(rows: number) {
  const known = new Map<number | null, number>()
  const values: (number | null)[] = []
  let codes: Codes = new Uint16Array(rows)

  function newCode(value: number | null): number {
    const code = values.length
    known.set(value, code)
    values.push(value)
    if (code === 65_536) codes = Uint32Array.from(codes)
    return code
  }

  return {
    values: values as readonly (number | null)[],
    codes: () => codes,
    take(cells: CellBatch, from: number): void {
      for (let i = 0; i < cells.length; i++) {
        const value = cells[i] as number | null
        const code = known.get(value) ?? newCode(value)
        codes[from + i] = code
      }
    },
  }
}
