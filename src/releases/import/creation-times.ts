import type { Store } from '../../store/store.ts'
import type { Candidate } from './candidate.ts'
import type { BaselineContent } from './checks/baseline.ts'
import type { Importable } from './importable.ts'
import { issueOf } from './report.ts'

/** A candidate with its time of creation, where its dataset has one. */
export interface DatedCandidate extends Candidate {
  /** The time to store for the id; absent where one is stored already. */
  readonly firstSeen?: string
}

interface Dating {
  readonly store: Store
  readonly dataset: Importable
  readonly records: BaselineContent['records']
  /** The time of new ids whose source has none, ISO 8601 UTC. */
  readonly now: string
  /** Publishes the source's time where a known id has another. */
  readonly force: boolean
}

/**
 * Creates the function that dates candidates. The time of a known id never moves: it is that of the baseline, else that with
 * which the id was first published. A source with another time gets a warning.
 */
export async function createDating({
  store,
  dataset,
  records,
  now,
  force,
}: Dating): Promise<(candidate: Candidate) => DatedCandidate> {
  if (dataset.identity.kind !== 'uuid') return candidate => candidate
  const seen = await store.releases.firstSeen(dataset.name)
  return candidate => {
    const { key, record, row } = candidate
    const known = records.get(key)?.createdAt ?? seen.get(key)
    const { createdAt: given = known ?? now } = record
    const moves = known !== undefined && given !== known && !force
    const createdAt = moves ? known : given
    return {
      ...candidate,
      record: { ...record, createdAt },
      ...(moves && {
        warnings: [...candidate.warnings, issueOf(row, { field: 'createdAt', value: given }, MOVES)],
      }),
      ...(!seen.has(key) && { firstSeen: String(createdAt) }),
    }
  }
}

const MOVES = 'is not the time that its id is known with, which is kept; --force publishes that of the source'
