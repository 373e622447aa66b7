import { BATCH_SIZE, type Batch, fill, fillSelectedRows, keepSelected, newBatch } from './batch.ts'
import { type Condition, mostSelectiveFirst } from './condition.ts'
import type { Plan } from './plan.ts'

/** The cost of a row that is jumped to, relative to one that is scanned. */
const JUMP_COST = 1.6

/** Passes on the rows that a plan selects, in any order, in batches: by its most selective condition, or by a scan. */
export function visitSelected(plan: Plan, take: (batch: Batch) => void): void {
  const conditions = mostSelectiveFirst<Condition>([...plan.dictionaries, ...plan.ordered])
  const [first, ...others] = conditions
  if (first === undefined || plan.end - plan.first < first.rows * JUMP_COST) scanRows(plan, conditions, take)
  else first.visit(plan, others, take)
}

/** Scans a range for the rows that meet every condition, in batches in row order. */
export function scanRows(
  range: { readonly first: number; readonly end: number },
  [condition, ...others]: readonly Condition[],
  take: (batch: Batch) => void,
): void {
  const batch = newBatch()
  for (let row = range.first; row < range.end; ) {
    const until = Math.min(range.end, row + BATCH_SIZE)
    if (condition === undefined) fill(batch, row, until)
    else fillSelectedRows(batch, row, until, condition.codes, condition.mask)
    row = until
    for (const { codes, mask } of others) keepSelected(batch, codes, mask)
    take(batch)
    batch.count = 0
  }
}
