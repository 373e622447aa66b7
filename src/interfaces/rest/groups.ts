import { setImmediate as nextTurn } from 'node:timers/promises'
import Type, { type TObject, type TSchema } from 'typebox'
import type { Dataset } from '../../datasets/dataset.ts'
import { batchOf } from '../../query/batches.ts'
import { fieldsOf } from '../../query/fields.ts'
import type { ParameterValues } from '../../query/parameters/parameter-values.ts'
import type { CountKey } from '../../query/query.ts'
import type { Group, Groups, RowBatch } from '../../query/result.ts'

/* Counts by keys: fields of a dataset, and the parts of its dates. A key has a name, as parameters and results show it. */

export const Count = Type.Integer({ description: 'Number of records.', minimum: 1 })

const DATE_PARTS: Readonly<Record<'year' | 'month', TSchema>> = {
  year: Type.Unsafe({
    type: ['integer', 'null'],
    description: 'Year of the date, in UTC; null where it has none.',
    examples: [2024],
  }),
  month: Type.Unsafe({
    type: ['string', 'null'],
    pattern: '^\\d{4}-\\d{2}$',
    description: 'Month of the date, in UTC; null where it has none.',
    examples: ['2024-03'],
  }),
}

const isDatePart = (name: string): name is keyof typeof DATE_PARTS => Object.hasOwn(DATE_PARTS, name)

/** The names of the keys by which the records of a dataset are counted. */
export const keyNames = ({ record, dates }: Dataset): string[] => [
  ...fieldsOf(record).flatMap(({ name, count }) => (count ? [name] : [])),
  ...(dates === undefined ? [] : Object.keys(DATE_PARTS)),
]

/** The key of a name, where parameters have these values. */
export function keyOf({ dates }: Dataset, name: string, values: ParameterValues): CountKey {
  if (dates === undefined || !isDatePart(name)) return name
  return { field: typeof dates === 'string' ? dates : dates(values), part: name }
}

/** The schema of a group as a record: the values of the keys, each of a list by itself, and the count. */
export const groupSchema = (dataset: Dataset, names: readonly string[]): TObject =>
  Type.Object({
    ...Object.fromEntries(names.map(name => [name, keySchema(dataset, name)])),
    count: Count,
  })

export function keySchema({ record, dates }: Dataset, name: string): TSchema {
  if (dates !== undefined && isDatePart(name)) return DATE_PARTS[name]
  const schema: { items?: TSchema } = record.properties[name] ?? {}
  return schema.items ?? schema
}

/** Few enough groups to render without delaying other requests. */
const BATCH = 1000

/** The first groups as batches of records, each made in a turn of its own of the event loop. */
export async function* groupBatches(
  names: readonly string[],
  groups: Groups,
  top = groups.length,
): AsyncGenerator<RowBatch> {
  const all = [...names, 'count']
  const toRecord = (group: Group) => Object.fromEntries(all.map((name, index) => [name, group[index]]))
  const length = Math.min(top, groups.length)
  for (let from = 0; from < length; from += BATCH) {
    if (from > 0) await nextTurn()
    yield batchOf(groups.slice(from, Math.min(from + BATCH, length)).map(toRecord))
  }
}
