import type { ListedPart } from '../indexes/table-data.ts'
import {
  BATCH_SIZE,
  type Batch,
  fill,
  fillMarked,
  keepMarked,
  keepMarkedBytes,
  keepWithin,
  lookUp,
  newBatch,
} from './batch.ts'
import type { Condition, Stretch } from './condition.ts'

/** A way through slices of a list for the rows of a stretch that meet every condition, a batch at a time. */
export interface ListVisit {
  readonly batch: Batch
  readonly rows: Uint32Array
  readonly stretch: Stretch
  /** Conditions whose codes lie beside the list, which is far faster to read than jumping to those of the rows. */
  readonly rarest: Beside<Uint8Array> | undefined
  readonly narrow: readonly Beside<Uint8Array>[]
  readonly wide: readonly Beside<Uint16Array<ArrayBuffer>>[]
  readonly others: readonly Condition[]
  readonly take: (batch: Batch) => void
}

interface Beside<Codes> {
  readonly codes: Codes
  readonly marks: Uint8Array
}

/** Starts on the way; conditions stand with the rarest first. */
export function startVisit(
  { rows, beside }: ListedPart,
  stretch: Stretch,
  conditions: readonly Condition[],
  take: (batch: Batch) => void,
): ListVisit {
  const others = conditions.filter(({ name }) => !beside.has(name))
  const wide: Beside<Uint16Array<ArrayBuffer>>[] = []
  const narrow: Beside<Uint8Array>[] = []
  for (const { name, marks } of conditions) {
    const codes = beside.get(name)
    if (codes instanceof Uint16Array) wide.push({ codes, marks })
    else if (codes !== undefined) narrow.push({ codes, marks })
  }
  return { batch: newBatch(), rows, stretch, rarest: narrow.shift(), narrow, wide, others, take }
}

/** Goes through the places [from, to) of the list. */
export function visitSlice(visit: ListVisit, from: number, to: number): void {
  const { batch, rarest } = visit
  for (let at = from; at < to; ) {
    const until = Math.min(to, at + BATCH_SIZE - batch.count)
    if (rarest === undefined) fill(batch, at, until)
    else fillMarked(batch, at, until, rarest.codes, rarest.marks)
    at = until
    if (batch.count === BATCH_SIZE) flushVisit(visit)
  }
}

/** Gives what is gathered; to be called once more at the end. */
export function flushVisit({ batch, rows, stretch, narrow, wide, others, take }: ListVisit): void {
  for (const { codes, marks } of narrow) keepMarkedBytes(batch, codes, marks)
  for (const { codes, marks } of wide) keepMarked(batch, codes, marks)
  lookUp(batch, rows)
  if (!stretch.isWhole) keepWithin(batch, stretch.first, stretch.end)
  for (const { codes, marks } of others) keepMarked(batch, codes, marks)
  take(batch)
  batch.count = 0
}
