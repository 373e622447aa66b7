import type { Codes } from '../indexes/table-data.ts'

/** Rows on their way through the conditions, some at a time, so that each condition is one tight loop. */
export interface Batch {
  readonly rows: Uint32Array
  count: number
}

export const BATCH_SIZE = 1024

export function newBatch(): Batch {
  return { rows: new Uint32Array(BATCH_SIZE), count: 0 }
}

/** Adds all numbers in [from, to), for which there is room. */
export function fill(batch: Batch, from: number, to: number): void {
  const { rows } = batch
  let { count } = batch
  for (let at = from; at < to; at++) rows[count++] = at
  batch.count = count
}

/** Adds those of the numbers in [from, to), for which there is room, whose code is marked. */
export function fillMarked(
  batch: Batch,
  from: number,
  to: number,
  codes: Uint8Array,
  marks: Uint8Array,
): void {
  const { rows } = batch
  let { count } = batch
  for (let at = from; at < to; at++) {
    rows[count] = at
    count += marks[codes[at] as number] as number
  }
  batch.count = count
}

/** The same over codes of rows, and a function of its own for the same reason as below. */
export function fillMarkedRows(
  batch: Batch,
  from: number,
  to: number,
  codes: Codes,
  marks: Uint8Array,
): void {
  const { rows } = batch
  let { count } = batch
  for (let row = from; row < to; row++) {
    rows[count] = row
    count += marks[codes[row] as number] as number
  }
  batch.count = count
}

/** Keeps the rows whose code is marked. Without a branch: which rows are kept cannot be foreseen. */
export function keepMarked(batch: Batch, codes: Codes, marks: Uint8Array): void {
  const { rows, count } = batch
  let kept = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number
    rows[kept] = row
    kept += marks[codes[row] as number] as number
  }
  batch.count = kept
}

/** The same over bytes. A function of its own, as a loop is compiled for the type of array that it meets. */
export function keepMarkedBytes(batch: Batch, codes: Uint8Array, marks: Uint8Array): void {
  const { rows, count } = batch
  let kept = 0
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number
    rows[kept] = row
    kept += marks[codes[row] as number] as number
  }
  batch.count = kept
}

/** Puts in place of each number what a list has there. */
export function lookUp({ rows, count }: Batch, list: Uint32Array): void {
  for (let i = 0; i < count; i++) rows[i] = list[rows[i] as number] as number
}

/** Keeps the rows in [first, end). */
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
