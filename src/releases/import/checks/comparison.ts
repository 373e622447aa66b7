import { isDeepStrictEqual } from 'node:util'
import { distanceMetres, pointOf } from '../../../query/geometry.ts'
import type { StoredRecord } from '../../../query/query.ts'
import { fold } from '../../../values/text.ts'
import type { Importable } from '../importable.ts'
import type { BaselineContent } from './baseline.ts'
import { createFieldCounter } from './field-counts.ts'
import { exceeds, type Limits } from './limits.ts'
import { type Losses, listed, type RecordLosses } from './losses.ts'
import { createMoves } from './moves.ts'
import { createRenamings } from './renamings.ts'

/** Compares a release that is being built with its baseline, record by record. */
export function compareWithBaseline(
  dataset: Importable,
  { records, fields }: BaselineContent,
  limits: Limits,
) {
  const counter = () => createFieldCounter(dataset.record)
  const [all, before, now] = [counter(), counter(), counter()]
  const ids = records.size > 0 ? compareIds(dataset, records, limits) : undefined
  return {
    /** `given` has the position of the source. Gives the metres by which the place moves, if they are many. */
    add(key: string, record: StoredRecord, given: StoredRecord): number | undefined {
      all.add(record)
      const known = records.get(key)
      if (known !== undefined) {
        before.add(known)
        now.add(record)
      }
      return ids?.add(key, known, given)
    },
    /** How many of all records so far have a value in each field. */
    filled: all.counts,
    /** What all records so far lose. */
    losses(): Losses {
      const lost = ids?.losses() ?? null
      const [were, are] =
        lost === null || lost.areReplaced ? [fields, all.counts()] : [before.counts(), now.counts()]
      return {
        fields: [...are].map(([field, now]) => ({ field, before: were.get(field) ?? 0, now })),
        records: lost,
      }
    },
  }
}

function compareIds(dataset: Importable, records: BaselineContent['records'], limits: Limits) {
  const nameOf = (record: StoredRecord) => nameIn(dataset, record)
  const idByName = new Map([...records].map(([id, record]) => [fold(nameOf(record)), id]))
  const gone = new Set(records.keys())
  const come: string[] = []
  const renewed = new Set<string>()
  const [renamings, moves] = [createRenamings(limits), createMoves(limits)]

  function meet(id: string, name: string): undefined {
    come.push(id)
    const known = idByName.get(fold(name))
    if (known !== undefined) renewed.add(known)
  }

  /** Near by its position; without one in the same parish; without either nearly nothing else changes. */
  function isWhereItWas(before: StoredRecord, now: StoredRecord): boolean {
    const from = pointOf(before)
    const { latitude, longitude, parish } = now
    if (from !== undefined && typeof latitude === 'number' && typeof longitude === 'number')
      return distanceMetres(from, { latitude, longitude }) <= limits.near.metres
    if (typeof before.parish === 'string' && typeof parish === 'string')
      return fold(before.parish) === fold(parish)
    const [name = 'id'] = dataset.knownBy
    const changes = Object.keys(before).filter(field => !isDeepStrictEqual(before[field], now[field]))
    return changes.filter(field => field !== name).length <= limits.unplaced.changes
  }

  return {
    add(id: string, before: StoredRecord | undefined, now: StoredRecord): number | undefined {
      const name = nameOf(now)
      if (before === undefined) return meet(id, name)
      gone.delete(id)
      renamings.add(id, nameOf(before), name, () => isWhereItWas(before, now))
      const [from, to] = [pointOf(before), pointOf(now)]
      return from && to && moves.add(id, name, from, to)
    },
    losses(): RecordLosses {
      const { renamed, mistaken } = renamings.found()
      const { moved, exchanged, ...others } = moves.found()
      const areReplaced =
        come.length > 0 && exceeds(gone.size, records.size, limits.idsReplaced, records.size)
      return {
        ...{ gone: listed(gone), come: listed(come), areReplaced },
        sameNames: [...renewed].filter(id => gone.has(id)).length,
        ...{ renamed: listed(renamed), mistaken: listed(mistaken) },
        ...{ moved: listed(moved), exchanged: listed(exchanged), ...others },
      }
    },
  }
}

/** The name of a record for people: its id where it has none. */
export function nameIn(
  { knownBy: [field = 'id'] }: Pick<Importable, 'knownBy'>,
  record: StoredRecord,
): string {
  return String(record[field] || record.id)
}
