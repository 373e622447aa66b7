import { BATCH_SIZE, type Batch, fill, fillMarkedRows, keepMarked, newBatch } from './batch.ts'
import { type Condition, rarestFirst } from './condition.ts'
import type { Question } from './plan.ts'

/** What a row costs that is jumped to, beside one that is met in order. */
const JUMPED = 1.6

/** Goes through the rows that a question finds, in any order, a batch at a time: first by its rarest condition. */
export function visitFound(question: Question, take: (batch: Batch) => void): void {
  const { first, end, words, days } = question
  const conditions = rarestFirst<Condition>([...words, ...days])
  const [rarest, ...others] = conditions
  if (rarest === undefined || end - first < rarest.rows * JUMPED) visitStretch(first, end, conditions, take)
  else rarest.visit(question, others, take)
}

function visitStretch(
  first: number,
  end: number,
  [rarest, ...others]: readonly Condition[],
  take: (batch: Batch) => void,
): void {
  const batch = newBatch()
  for (let row = first; row < end; ) {
    const until = Math.min(end, row + BATCH_SIZE)
    if (rarest === undefined) fill(batch, row, until)
    else fillMarkedRows(batch, row, until, rarest.codes, rarest.marks)
    row = until
    for (const { codes, marks } of others) keepMarked(batch, codes, marks)
    take(batch)
    batch.count = 0
  }
}
