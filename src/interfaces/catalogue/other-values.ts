import type { TObject } from 'typebox'
import type { Collection } from '../../query/collection.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { Snapshot } from '../../releases/snapshots/snapshot.ts'
import { memberOf } from '../../values/values.ts'
import { describeFields } from './field-descriptions.ts'

/** Values that records hold besides the known ones of an open enumeration, and how many records hold one. */
export interface OtherValues {
  readonly values: ReadonlySet<string>
  readonly records: number
}

/** Finds the other values of each open enumeration, by the name of the field; a field without any is left out. */
export async function findOtherValues(
  record: TObject,
  { records, collection }: Pick<Snapshot, 'records' | 'collection'>,
  isTable: boolean,
): Promise<ReadonlyMap<string, OtherValues>> {
  const found = new Map<string, OtherValues>()
  for (const { name, enumeration } of describeFields(record)) {
    if (enumeration === null || enumeration.closed) continue
    const known = new Set<unknown>(enumeration.values.map(({ value }) => value))
    const isOther = (value: unknown) => typeof value === 'string' && !known.has(value)
    const others = isTable ? await inTable(collection, name, isOther) : inRecords(records, name, isOther)
    if (others.records > 0) found.set(name, others)
  }
  return found
}

type Test = (value: unknown) => boolean

async function inTable(collection: Collection, field: string, isOther: Test): Promise<OtherValues> {
  const groups = (await collection.count({ by: [field] })).slice().filter(([value]) => isOther(value))
  return {
    values: new Set(groups.map(([value]) => String(value))),
    records: groups.reduce((sum, [, count]) => sum + Number(count), 0),
  }
}

/** The same of a field that may be a list, or lie within an object. */
function inRecords(records: readonly StoredRecord[], name: string, isOther: Test): OtherValues {
  const path = name.split('.')
  const held = records.map(record => {
    const value = path.reduce(memberOf, record)
    return [value].flat().filter(isOther)
  })
  return {
    values: new Set(held.flat().map(String)),
    records: held.filter(({ length }) => length > 0).length,
  }
}
