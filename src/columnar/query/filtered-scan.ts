import type { Batch } from './batch.ts'
import { type Condition, mostSelectiveFirst, scanRows } from './condition.ts'
import type { Plan } from './plan.ts'
import { visitBitmap } from './value-rows.ts'

/** The cost of a row that is jumped to, relative to one that is scanned. */
const JUMP_COST = 1.6

/**
 * Passes on the rows that a plan selects, in any order, in batches: by its bitmap, its most selective condition, or a
 * scan.
 */
export function visitSelected(plan: Plan, take: (batch: Batch) => void): void {
  const conditions = mostSelectiveFirst<Condition>([...plan.dictionaries, ...plan.ordered])
  const [first, ...others] = conditions
  if (plan.bitmap !== undefined) visitBitmap(plan.bitmap, plan, conditions, take)
  else if (first === undefined || plan.end - plan.first < first.rows * JUMP_COST)
    scanRows(plan, conditions, take)
  else first.visit(plan, others, take)
}
