import Type, { type TObject, type TSchema } from 'typebox'
import type { Counts, DatasetContext } from '../../datasets/dataset.ts'
import { writeRecords } from '../../formats/format.ts'
import { formatsFor } from '../../formats/formats.ts'
import { describeRelease, type ReleaseInfo } from '../../http/response/representation.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { fieldsOf } from '../../query/fields.ts'
import { countByParameter } from '../../query/parameters/field-parameters.ts'
import { invalidParameter, type ParameterValues } from '../../query/parameters/query-parameter.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { Group } from '../../query/result.ts'
import { memoise } from '../../values/memoise.ts'
import { chain, type MaybePromise } from '../../values/promises.ts'
import { parametersOf } from './parameters-of.ts'

/** Adds an endpoint that counts the records of a dataset by one field, or by fields that clients choose. */
export function addCountsRoute(router: Router, context: DatasetContext, counts: Counts): void {
  const { dataset } = context
  const { by: field, parameters: _own, ...endpoint } = counts
  const { parameters, filters } = parametersOf(context, counts)
  const { sort: _sort, ...narrowing } = parameters
  const countable = fieldsOf(dataset.record).filter(({ count }) => count)
  const isExpensive = dataset.layout.kind === 'table'
  const formats = formatsFor(
    context.formats,
    groupSchema(dataset.record, field === undefined ? countable.map(({ name }) => name) : [field]),
  )
  addEndpoint(router, {
    ...endpoint,
    tag: dataset.name,
    parameters: { ...(field === undefined && { by: countByParameter(countable) }), ...narrowing },
    response: field === undefined ? GroupsResponse : countsResponse(field),
    formats,
    problems: isExpensive ? [503] : [],
    cacheVersion: context.release,
    expensive: isExpensive,
    respond({ query, canonical, format }) {
      const by = field === undefined ? chosen(query) : [field]
      const narrowed = filters(query)
      const describe = (release: ReleaseInfo) =>
        describeRelease(release, dataset.maxAge, `${counts.path}.${format}?${canonical}`)
      const written = formats.find(({ name }) => name === format)
      const render = (groups: readonly Group[]): MaybePromise<Buffer> => {
        if (written !== undefined)
          return writeRecords(written, recordsOf(by, groups), groupSchema(dataset.record, by))
        return field === undefined
          ? Buffer.from(JSON.stringify({ results: recordsOf(by, groups) }))
          : renderCounts(groups)
      }
      return {
        ...describe(context.snapshot().release),
        body: () =>
          context.readSnapshot(({ release, collection }) =>
            chain(collection.count({ by, filters: narrowed }), groups =>
              chain(render(groups), body => ({ ...describe(release), body })),
            ),
          ),
      }
    },
  })
}

function chosen({ by }: ParameterValues): readonly string[] {
  if (by !== undefined) return by as readonly string[]
  throw invalidParameter({ parameter: 'by', detail: 'is missing', allowed: 'the fields to count by' })
}

const Count = Type.Integer({ minimum: 1 })

const countsResponse = (field: string) =>
  Type.Object({
    results: Type.Record(Type.String(), Count, {
      description: `Count by ${field}, in descending order of count, ties by name.`,
    }),
  })

const GroupsResponse = Type.Object({
  results: Type.Array(Type.Object({ count: Count }, { additionalProperties: true }), {
    description: 'The values of the fields and their count, in descending order of count, ties by value.',
  }),
})

/** Written by hand: an object would move integer-like names to the front and lose `__proto__`. */
function renderCounts(groups: readonly Group[]): Buffer {
  let members = ''
  for (const [name, count] of groups) members += `${members && ','}${quoted(String(name))}:${count}`
  return Buffer.from(`{"results":{${members}}}`)
}

/** More than the makes and colours of any register. */
const MAX_NAMES = 10_000

const quoted = memoise((name: string) => JSON.stringify(name), MAX_NAMES)

/** Groups as records: the fields counted by, and the count. */
function recordsOf(by: readonly string[], groups: readonly Group[]): StoredRecord[] {
  const names = [...by, 'count']
  return groups.map(group => Object.fromEntries(names.map((name, index) => [name, group[index]])))
}

const groupSchema = (record: TObject, by: readonly string[]): TObject =>
  Type.Object({
    ...Object.fromEntries(by.map(name => [name, record.properties[name] as TSchema])),
    count: Count,
  })
