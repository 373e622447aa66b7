import { distanceMetres, pointOf } from '../../../query/geometry.ts'
import type { StoredRecord } from '../../../query/query.ts'
import { fold } from '../../../values/text.ts'
import type { Importable } from '../importable.ts'
import type { BaselineContent } from './baseline.ts'
import { createFieldCounter } from './field-counts.ts'
import { createList, type Losses, listed, type Move, type RecordLosses } from './losses.ts'
import { createRenamings } from './renamings.ts'

/** A place that moves further is another place, or was wrong. */
const FAR_METRES = 200

/** Compares a release that is being built with its baseline, record by record: memory is bounded by the baseline. */
export interface Comparison {
  add(key: string, record: StoredRecord): void
  /** What all records so far lose. */
  losses(): Losses
}

/** Starts a comparison of no records yet. */
export function createComparison(dataset: Importable, { records, fields }: BaselineContent): Comparison {
  const counter = createFieldCounter(dataset.record)
  const ids = records.size > 0 ? compareIds(dataset, records) : undefined
  return {
    add(key, record) {
      counter.add(record)
      ids?.add(key, record)
    },
    losses: () => ({
      fields: [...counter.counts()].map(([field, now]) => ({ field, before: fields.get(field) ?? 0, now })),
      records: ids?.losses() ?? null,
    }),
  }
}

function compareIds(dataset: Importable, records: BaselineContent['records']) {
  const nameOf = (record: StoredRecord) => nameIn(dataset, record)
  const names = new Map([...records].map(([id, record]) => [id, nameOf(record)]))
  const idByName = new Map([...names].map(([id, name]) => [fold(name), id]))
  const renamings = createRenamings(names)
  const gone = new Set(records.keys())
  const come = createList<string>()
  const renewed = new Set<string>()
  const moved = createList<Move>()
  let placed = 0

  function compare(id: string, before: StoredRecord, now: StoredRecord): void {
    gone.delete(id)
    renamings.add(id, nameOf(now))
    const metres = metresBetween(before, now)
    if (metres === undefined) return
    placed++
    if (metres > FAR_METRES) moved.add({ id, name: nameOf(now), metres: Math.round(metres) })
  }

  function meet(id: string, record: StoredRecord): void {
    come.add(id)
    const known = idByName.get(fold(nameOf(record)))
    if (known !== undefined) renewed.add(known)
  }

  return {
    add(id: string, record: StoredRecord): void {
      const before = records.get(id)
      if (before !== undefined) compare(id, before, record)
      else meet(id, record)
    },
    losses: (): RecordLosses => ({
      gone: listed(gone),
      come: come.listed(),
      sameNames: [...renewed].filter(id => gone.has(id)).length,
      renamed: listed(renamings.found()),
      moved: moved.listed(),
      placed,
    }),
  }
}

/** The name of a record for people: its id where it has none. */
export function nameIn(
  { knownBy: [field = 'id'] }: Pick<Importable, 'knownBy'>,
  record: StoredRecord,
): string {
  return String(record[field] || record.id)
}

/** How far a place is from where it was; undefined unless it was on the island and has coordinates now. */
function metresBetween(before: StoredRecord, { latitude, longitude }: StoredRecord): number | undefined {
  const from = pointOf(before)
  if (from === undefined || typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return distanceMetres(from, { latitude, longitude })
}
