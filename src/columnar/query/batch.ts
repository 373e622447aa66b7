import type { Codes } from '../indexes/table-data.ts'

/** Some rows, filtered by one condition after another, so that each condition is one tight loop. */
export interface Batch {
  readonly rows: Uint32Array
  count: number
}

export const BATCH_SIZE = 1024

export function newBatch(): Batch {
  return { rows: new Uint32Array(BATCH_SIZE), count: 0 }
}

/** Adds all numbers of [from, to), for which the batch has room. */
export function fill(batch: Batch, from: number, to: number): void {
  const { rows } = batch
  let { count } = batch
  for (let at = from; at < to; at++) rows[count++] = at
  batch.count = count
}

/** Adds the numbers of [from, to), for which the batch has room, whose code is selected. */
export function fillSelected(
  batch: Batch,
  from: number,
  to: number,
  codes: Uint8Array,
  mask: Uint8Array,
): void {
  const { rows } = batch
  let { count } = batch
  for (let at = from; at < to; at++) {
    rows[count] = at
    count += mask[codes[at] as number] as number
  }
  batch.count = count
}

/** Does the same with the codes of rows. A loop is compiled for one array type, so each type has its own. */
export function fillSelectedRows(
  batch: Batch,
  from: number,
  to: number,
  codes: Codes,
  mask: Uint8Array,
): void {
  const { rows } = batch
  let { count } = batch
  for (let row = from; row < to; row++) {
    rows[count] = row
    count += mask[codes[row] as number] as number
  }
  batch.count = count
}

/** Keeps the rows whose code is selected, without a branch, as a branch would be unpredictable. */
export function keepSelected(batch: Batch, codes: Codes, mask: Uint8Array): void {
  const { rows, count } = batch
  let kept = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number
    rows[kept] = row
    kept += mask[codes[row] as number] as number
  }
  batch.count = kept
}

/** Does the same with codes of one byte. */
export function keepSelectedBytes(batch: Batch, codes: Uint8Array, mask: Uint8Array): void {
  const { rows, count } = batch
  let kept = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number
    rows[kept] = row
    kept += mask[codes[row] as number] as number
  }
  batch.count = kept
}

/** Replaces each position in a posting list by the row there. */
export function lookUp({ rows, count }: Batch, list: Uint32Array): void {
  for (let i = 0; i < count; i++) rows[i] = list[rows[i] as number] as number
}

/** Keeps the rows of [first, end). */
export function keepWithin(batch: Batch, first: number, end: number): void {
  const { rows, count } = batch
  let kept = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number
    rows[kept] = row
    kept += row >= first && row < end ? 1 : 0
  }
  batch.count = kept
}
