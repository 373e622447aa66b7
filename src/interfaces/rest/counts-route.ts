import { setImmediate as nextTurn } from 'node:timers/promises'
import Type, { type TObject, type TSchema } from 'typebox'
import type { Counts, Dataset, DatasetContext } from '../../datasets/dataset.ts'
import { formatsFor } from '../../formats/formats.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import type { Router } from '../../http/router.ts'
import { fieldsOf } from '../../query/fields.ts'
import { countByParameter, type ParameterValues, topParameter } from '../../query/parameters.ts'
import {
  batchOf,
  type Collection,
  type CountKey,
  type Group,
  type Groups,
  type RowBatch,
} from '../../query/query.ts'
import { memoise } from '../../values/memoise.ts'
import { chain, type MaybePromise } from '../../values/promises.ts'
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

/** The schema of a group as a record: a value of each key (of a list, one entry), and the count. */
const groupSchema = (dataset: Dataset, names: readonly string[]): TObject =>
  Type.Object({
    ...Object.fromEntries(names.map(name => [name, keySchema(dataset, name)])),
    count: Count,
  })

function keySchema({ record, dates }: Dataset, name: string): TSchema {
  if (dates !== undefined && isDatePart(name)) return DATE_PARTS[name]
  const schema: { items?: TSchema } = record.properties[name] ?? {}
  return schema.items ?? schema
}

/** Few enough groups to render without delaying other requests. */
const BATCH = 1000

/** The first groups as batches of records, each made in a separate turn of the event loop. */
async function* groupBatches(
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
  const isExpensive = dataset.layout.kind === 'table'
  const formats = formatsFor(context.formats, groupSchema(dataset, names))
  addEndpoint(router, {
    ...endpoint,
    tag: dataset.name,
    parameters: isMap ? narrowing : by === undefined ? { by: countByParameter(names), ...grouped } : grouped,
    response: isMap ? mapSchema(by) : groupsSchema(dataset, names),
    formats,
    problems: isExpensive ? [503] : [],
    cacheVersion: context.release,
    expensive: isExpensive,
    respond({ query: values, canonical, format }) {
      const { by: chosen = names, top }: CountValues = values
      const selection = select(values)
      const by = chosen.map(name => keyOf(dataset, name, values))
      const written = formats.find(({ name }) => name === format)
      const write = (collection: Collection) =>
        chain(collection.count({ ...selection, by }), (groups): MaybePromise<Written> => {
          const shown = groupBatches(chosen, groups, top)
          const heldBytes = groups.bytes + (written?.heldBytes ?? 0)
          if (written) return { content: written.write(shown, groupSchema(dataset, chosen)), heldBytes }
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

const groupsSchema = (dataset: Dataset, names: readonly string[]) =>
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
