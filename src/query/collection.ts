import type { MaybePromise } from '../values/promises.ts'
import type { CountQuery, Query } from './query.ts'
import type { Groups, Result } from './result.ts'

/**
 * Executes queries against one release of a dataset. Every engine (columnar in memory, SQL, a list in memory) gives the
 * same results. Throws RangeError for a field that does not exist or lacks the capability.
 */
export interface Collection {
  execute(query: Query): MaybePromise<Result>
  /** The groups in descending order of count, ties by the values' code-unit order. */
  count(query: CountQuery): MaybePromise<Groups>
}
