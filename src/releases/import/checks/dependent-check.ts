import type { StoredRecord } from '../../../query/query.ts'
import { fold } from '../../../values/text.ts'
import type { Importable } from '../importable.ts'
import type { BaselineContent } from './baseline.ts'
import { nameIn } from './comparison.ts'

/** A check for what depends on the values of a dataset's field, such as the codes that live parking goes by. */
export interface DependentCheck {
  /** The name that `--accept` takes. */
  readonly name: string
  readonly field: string
  /** What would be lost with these values, a sentence each; none where nothing is. */
  findings(lost: readonly LostValue[]): Promise<readonly string[]>
}

/** A text that no record has any more. */
export interface LostValue {
  readonly value: string
  /** The name of the record that had it. */
  readonly name: string
}

/** Finds the texts of a field, without regard to case, that the baseline has and a new release lacks. */
export function createLostValues(dataset: Importable, field: string, { records }: BaselineContent) {
  const lost = new Map<string, LostValue>()
  for (const record of records.values()) {
    const { [field]: value } = record
    if (typeof value === 'string') lost.set(fold(value), { value, name: nameIn(dataset, record) })
  }
  return {
    add({ [field]: value }: StoredRecord): void {
      if (typeof value === 'string') lost.delete(fold(value))
    },
    lost: (): readonly LostValue[] => [...lost.values()],
  }
}
