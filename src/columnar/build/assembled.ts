import type { CellBatch } from '../../store/contents.ts'
import type { DigestPart, NumberPart } from '../indexes/table-data.ts'
import { DIGEST_BYTES } from '../render/fields.ts'
import { packTexts } from '../render/texts.ts'
import { startCodes } from './codes.ts'

/** Starts a column of numbers: `take` takes the numbers of rows, or null. */
export function startNumbers(name: string, rows: number) {
  const found = startCodes(rows)
  return {
    take: found.take,
    finish: (): NumberPart => ({
      name,
      texts: packTexts(found.values.map(value => JSON.stringify(value))),
      codes: found.codes(),
    }),
  }
}

/** Starts a column of digests: `take` takes the 32 bytes of each of some rows. */
export function startDigests(name: string, rows: number) {
  const bytes = new Uint8Array(rows * DIGEST_BYTES)
  return {
    take: (cells: CellBatch, from: number): void => bytes.set(cells as Uint8Array, from * DIGEST_BYTES),
    finish: (): DigestPart => ({ name, bytes }),
  }
}
