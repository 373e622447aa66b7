import { setImmediate as nextTurn } from 'node:timers/promises'
import Type, { type TObject, type TSchema } from 'typebox'
import type { Counts, Dataset, DatasetContext } from '../../datasets/dataset.ts'
import { formatsFor } from '../../formats/formats.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import type { Router } from '../../http/router.ts'
import { type FieldKeywords, fieldsOf, UNIT } from '../../query/fields.ts'
import {
  countByParameter,
  measureNames,
  measuresParameter,
  type ParameterValues,
  topParameter,
} from '../../query/parameters.ts'
import {
  batchOf,
  type Collection,
  type CountKey,
  countOf,
  type Group,
  type Groups,
  MEASURES,
  type RowBatch,
  roundedSum,
  type StoredRecord,
} from '../../query/query.ts'
import { memoise } from '../../values/memoise.ts'
import { chain, type MaybePromise } from '../../values/promises.ts'
import { addTo } from '../../values/values.ts'
import { LONGEST_BUFFERED_PAGE, respondFrom, selectionOf, streamPage, type Written } from './respond.ts'

/* Counts by keys: fields of a dataset, and the parts of its dates. Parameters and results show the name of a key. */

const Count = Type.Integer({ description: 'Number of records.', minimum: 1 })

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

/** The names of the keys for counting the records of a dataset. */
export const keyNames = ({ record, dates }: Dataset): string[] => [
  ...fieldsOf(record).flatMap(({ name, count }) => (count ? [name] : [])),
  ...(dates === undefined ? [] : Object.keys(DATE_PARTS)),
]

/** The key of a name, for these values of the parameters. */
function keyOf({ dates }: Dataset, name: string, values: ParameterValues): CountKey {
  if (dates === undefined || !isDatePart(name)) return name
  return { field: typeof dates === 'string' ? dates : dates(values), part: name }
}

/** The schema of a group as a record: a value of each key (of a list, one entry), the count, and the measures. */
const groupSchema = (dataset: Dataset, names: readonly string[], measures: readonly string[] = []): TObject =>
  Type.Object({
    ...Object.fromEntries(names.map(name => [name, keySchema(dataset, name)])),
    count: Count,
    ...measureSchemas(dataset, measures),
  })

/** The measures of groups as the parameter names them: by field, in the requested order. */
function measuredFields(measures: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>()
  for (const word of measures) {
    const [field = '', by] = word.split('.')
    if (by !== undefined) addTo(fields, field, by)
  }
  return fields
}

const Share = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'This count divided by the sum of the counts of all groups.',
})

const MEASURED: Readonly<Record<string, string>> = {
  sum: 'Sum of the values',
  mean: 'The sum divided by the number of values',
  min: 'The least value',
  max: 'The greatest value',
}

/** The schemas of measures. `part` makes a part of it optional where a request chooses among them. */
function measureSchemas(
  { record }: Dataset,
  measures: readonly string[],
  part = (schema: TSchema) => schema,
) {
  const fields = [...measuredFields(measures)].map(([name, by]) => {
    const { type, [UNIT]: unit }: FieldKeywords = record.properties[name] ?? {}
    const number = (measure: string) => ({
      type: [measure !== 'mean' && [type].flat().includes('integer') ? 'integer' : 'number', 'null'],
      description: `${MEASURED[measure]}; null without any.`,
      [UNIT]: unit,
    })
    const schemas = by.map(measure => [measure, part(Type.Unsafe(number(measure)))])
    return [name, part(Type.Object({ values: Values, ...Object.fromEntries(schemas) }))]
  })
  const share = measures.includes('share') ? [['share', part(Share)]] : []
  return Object.fromEntries([...share, ...fields])
}

const Values = Type.Integer({ minimum: 0, description: 'Number of records that have a value.' })

/** Returns a function that makes a record of a group. The share is of `total`. */
function groupRecord(names: readonly string[], measures: readonly string[], total: number) {
  const fields = [...measuredFields(measures)]
  return (group: Group) => {
    const entries: [string, unknown][] = names.map((name, index) => [name, group[index]])
    entries.push(['count', countOf(group)])
    if (measures.includes('share')) entries.push(['share', countOf(group) / total])
    for (const [index, [name, by]] of fields.entries()) {
      const at = names.length + index * MEASURES.length
      const [values, added, min, max] = group.slice(at, at + MEASURES.length)
      const sum = values === 0 ? Number.NaN : roundedSum(Number(added))
      const all: Readonly<Record<string, unknown>> = { sum, mean: sum / Number(values), min, max }
      entries.push([
        name,
        Object.fromEntries([['values', values], ...by.map(measure => [measure, finite(all[measure])])]),
      ])
    }
    return Object.fromEntries(entries)
  }
}

/** There is no measure without values, and sums beyond the range of numbers are unknown. */
const finite = (value: unknown) => (Number.isFinite(value) ? value : null)

function keySchema({ record, dates }: Dataset, name: string): TSchema {
  if (dates !== undefined && isDatePart(name)) return DATE_PARTS[name]
  const schema: { items?: TSchema } = record.properties[name] ?? {}
  return schema.items ?? schema
}

/** Few enough groups to render without delaying other requests. */
const BATCH = 1000

/** The first groups as batches of records, each made in a separate turn of the event loop. */
async function* groupBatches(
  groups: Groups,
  toRecord: (group: Group) => StoredRecord,
  top = groups.length,
): AsyncGenerator<RowBatch> {
  const length = Math.min(top, groups.length)
  for (let from = 0; from < length; from += BATCH) {
    if (from > 0) await nextTurn()
    yield batchOf(groups.slice(from, Math.min(from + BATCH, length)).map(toRecord))
  }
}

/**
 * Adds an endpoint that counts the records of a dataset: by one field as `{results: {value: count}}`; by several, or by keys of
 * the client's choice, in groups as `{total, groups, results: [{key, count}], rest}`. Many groups are streamed.
 */
export function addCountsRoute(
  router: Router,
  context: DatasetContext,
  // Without fields to count by, clients choose keys with the parameter `by`.
  declared: Omit<Counts, 'by'> & Partial<Pick<Counts, 'by'>>,
): void {
  const { dataset } = context
  const { by, parameters: _own, ...endpoint } = declared
  const { narrowing, select } = selectionOf(context, declared)
  const names = by === undefined ? keyNames(dataset) : [by].flat()
  const isMap = typeof by === 'string'
  const lists = new Set(fieldsOf(dataset.record).flatMap(({ name, kind }) => (kind === 'list' ? [name] : [])))
  // Fixed fields give many groups. Without a limit, a client that only looks would get all of them.
  const grouped = { ...narrowing, top: topParameter(by === undefined ? undefined : LONGEST_BUFFERED_PAGE) }
  const allMeasures = by === undefined ? measureNames(fieldsOf(dataset.record)) : []
  const ofGroups = { by: countByParameter(names), measures: measuresParameter(allMeasures) }
  const isExpensive = dataset.layout.kind === 'table'
  const formats = formatsFor(context.formats, groupSchema(dataset, names))
  addEndpoint(router, {
    ...endpoint,
    tag: dataset.name,
    parameters: isMap ? narrowing : by === undefined ? { ...ofGroups, ...grouped } : grouped,
    response: isMap ? mapSchema(by) : groupsSchema(dataset, names, allMeasures),
    formats,
    problems: isExpensive ? [503] : [],
    cacheVersion: context.release,
    expensive: isExpensive,
    respond({ query: values, canonical, format }) {
      const { by: chosen = names, measures = [], top }: CountValues = values
      const selection = select(values)
      const by = chosen.map(name => keyOf(dataset, name, values))
      const of = [...measuredFields(measures).keys()]
      const written = formats.find(({ name }) => name === format)
      const write = (collection: Collection) =>
        chain(collection.count({ ...selection, by, of }), (groups): MaybePromise<Written> => {
          const shown = groupBatches(groups, groupRecord(chosen, measures, groups.sum()), top)
          const heldBytes = groups.bytes + (written?.heldBytes ?? 0)
          if (written)
            return { content: written.write(shown, groupSchema(dataset, chosen, measures)), heldBytes }
          if (isMap) return { content: mapOf(groups.slice()) }
          // Counted by the entries of a list, a record is in several groups.
          const total = chosen.some(name => lists.has(name))
            ? chain(collection.execute({ ...selection, limit: 0 }), result => result.total)
            : groups.sum()
          return chain(total, total => ({
            content: streamPage(shown, frameOf(total, groups, top)),
            heldBytes,
          }))
        })
      const isLong = top === undefined ? chosen.length > 1 : top > LONGEST_BUFFERED_PAGE
      return respondFrom(context, { key: `${endpoint.path}.${format}?${canonical}`, isLong, write })
    },
  })
}

interface CountValues {
  readonly by?: readonly string[] | undefined
  readonly measures?: readonly string[] | undefined
  readonly top?: number | undefined
}

const mapSchema = (field: string) =>
  Type.Object({
    results: Type.Record(Type.String(), Count, {
      description: `Count by ${field}, in descending order of count, ties by name.`,
    }),
  })

/** Written by hand: an object would move integer-like names to the front and lose `__proto__`. */
function mapOf(groups: readonly Group[]): Buffer {
  let members = ''
  for (const [name, count] of groups) members += `${members && ','}${quoted(String(name))}:${count}`
  return Buffer.from(`{"results":{${members}}}`)
}

/** More than the makes and colours of any register. */
const MAX_NAMES = 10_000

const quoted = memoise((name: string) => JSON.stringify(name), MAX_NAMES)

const groupsSchema = (dataset: Dataset, names: readonly string[], measures: readonly string[]) =>
  Type.Object({
    total: Type.Integer({
      minimum: 0,
      description: 'Number of records that match. By the entries of lists, a record counts once for each.',
    }),
    groups: Type.Integer({ minimum: 0, description: 'Number of groups.' }),
    results: Type.Array(
      Type.Object({
        ...Object.fromEntries(names.map(name => [name, Type.Optional(keySchema(dataset, name))])),
        count: Count,
        ...measureSchemas(dataset, measures, Type.Optional),
      }),
      { description: 'The groups in descending order of count, ties by value, null last.' },
    ),
    rest: Type.Object(
      {
        groups: Type.Integer({ minimum: 0, description: 'Number of groups that `top` leaves out.' }),
        count: Type.Integer({ minimum: 0, description: 'Sum of their counts.' }),
      },
      { description: 'What `top` leaves out.' },
    ),
  })

/** The JSON before and after the groups. */
function frameOf(total: number, groups: Groups, top = groups.length): readonly [string, string] {
  const left = { groups: Math.max(0, groups.length - top), count: groups.sum(top) }
  return [`{"total":${total},"groups":${groups.length},"results":[`, `],"rest":${JSON.stringify(left)}}`]
}
