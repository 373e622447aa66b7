import { carparks } from '../datasets/carparks/index.ts'
import { LIVE_CODES, liveCodes } from '../parking/live-codes.ts'
import { CHECK_NAMES, type DependentCheck } from '../releases/import/checks/checks.ts'
import type { Store } from '../store/store.ts'

/** The checks that an operator can accept by name. */
export const ACCEPTABLE_CHECKS: readonly string[] = [...CHECK_NAMES, LIVE_CODES]

/** The checks of data that depends on a dataset, for every import into the dataset. */
export function dependentChecks(dataset: string, { readings }: Pick<Store, 'readings'>): DependentCheck[] {
  return dataset === carparks.name ? [liveCodes('liveTrackingCode', readings)] : []
}
