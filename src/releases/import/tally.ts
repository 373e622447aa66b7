import type { StoredRecord } from '../../query/query.ts'
import type { KeptCounts } from '../../store/store.ts'
import type { Importable } from './importable.ts'

/** The key for the year of a dataset's date; other keys are fields. */
const YEAR = 'year'

/** Counts the records of a release by the kept keys. Undefined for a dataset without kept counts. */
export function createTally({ keptCounts, datedBy = '' }: Pick<Importable, 'keptCounts' | 'datedBy'>) {
  if (keptCounts === undefined) return undefined
  const tallies = keptCounts.map(key => ({ key, counts: new Map<string, number>() }))
  return {
    add(record: StoredRecord): void {
      for (const { key, counts } of tallies) {
        const value = key === YEAR ? String(record[datedBy] ?? '').slice(0, 4) : String(record[key] ?? '')
        counts.set(value, (counts.get(value) ?? 0) + 1)
      }
    },
    counts: (): KeptCounts =>
      Object.fromEntries(tallies.map(({ key, counts }) => [key, Object.fromEntries(counts)])),
  }
}
