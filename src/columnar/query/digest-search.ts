import type { TableLayout } from '../../query/layout.ts'
import type { TableData } from '../indexes/table-data.ts'
import { digestsOf } from '../render/fields.ts'
import { DIGEST_BYTES } from '../render/texts.ts'

/**
 * Returns a function that finds the rows of a column with a digest, given in hexadecimal digits. A search scans the first
 * 32 bits of all digests; the first search gathers these bits.
 */
export function openDigestSearch(
  layout: TableLayout,
  data: TableData,
): (column: string, digest: string) => number[] {
  const gathered = new Map<string, Uint32Array>()

  function prefixesOf(column: string): Uint32Array {
    const known = gathered.get(column)
    if (known !== undefined) return known
    const digests = digestsOf(column, layout, data)
    const prefixes = new Uint32Array(data.rows)
    for (let row = 0; row < data.rows; row++) {
      const { bytes, start } = digests(row)
      prefixes[row] = bytes.readUInt32BE(start)
    }
    gathered.set(column, prefixes)
    return prefixes
  }

  return (column, digest) => {
    const wanted = Buffer.from(digest, 'hex')
    if (wanted.length !== DIGEST_BYTES || wanted.toString('hex') !== digest) return []
    const prefixes = prefixesOf(column)
    const digests = digestsOf(column, layout, data)
    const prefix = wanted.readUInt32BE(0)
    const rows: number[] = []
    for (let row = prefixes.indexOf(prefix); row >= 0; row = prefixes.indexOf(prefix, row + 1)) {
      const { bytes, start } = digests(row)
      if (wanted.equals(bytes.subarray(start, start + DIGEST_BYTES))) rows.push(row)
    }
    return rows
  }
}
