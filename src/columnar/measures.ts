import type { Value } from '../query/query.ts'
import type { Codes, OrderedData } from './table-data.ts'

/** A column of numbers to measure. */
export type Numbers = Pick<OrderedData, 'codes' | 'values'>

/** The four MEASURES of a group: of these codes, or with the number of its rows by code, of all codes. */
export function measure(
  { values }: Numbers,
  codes: Codes | undefined,
  rowsByCode?: ArrayLike<number>,
): Value[] {
  const length = codes?.length ?? values.length
  let [count, sum, least, most] = [0, 0, values.length, -1]
  for (let entry = 0; entry < length; entry++) {
    const code = codes === undefined ? entry : (codes[entry] as number)
    const rows = rowsByCode === undefined ? 1 : (rowsByCode[code] as number)
    if (rows === 0 || code === values.length) continue
    count += rows
    sum += (values[code] as number) * rows
    least = Math.min(least, code)
    most = Math.max(most, code)
  }
  if (count === 0) return [0, null, null, null]
  return [count, sum, values[least] as number, values[most] as number]
}

/** Counts the rows of each pair of a group and a code. A loop in a function of its own is compiled to quicker code. */
export function countPairs(pairs: Uint32Array, groups: Codes, codes: Codes, width: number): void {
  for (let i = 0; i < codes.length; i++) {
    const pair = (groups[i] as number) * width + (codes[i] as number)
    pairs[pair] = (pairs[pair] as number) + 1
  }
}
