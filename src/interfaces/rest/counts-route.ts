import Type from 'typebox'
import type { Counts, DatasetContext } from '../../datasets/dataset.ts'
import { describeRelease, type ReleaseInfo } from '../../datasets/release-representation.ts'
import { writeRecords } from '../../formats/format.ts'
import { formatsFor } from '../../formats/formats.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { Group } from '../../query/result.ts'
import { memoise } from '../../values/memoise.ts'
import { chain, type MaybePromise } from '../../values/promises.ts'
import { Count, groupSchema, recordOf } from './groups.ts'
import { parametersOf } from './parameters-of.ts'

/** Adds an endpoint that counts the records of a dataset by one field: `{results: {value: count}}`. */
export function addCountsRoute(
  router: Router,
  context: DatasetContext,
  { by, parameters: own, ...endpoint }: Counts & { by: string },
): void {
  const { dataset } = context
  const { parameters, filters } = parametersOf(context, { ...(own && { parameters: own }) })
  const { sort: _sort, ...narrowing } = parameters
  const isExpensive = dataset.layout.kind === 'table'
  const schema = groupSchema(dataset, [by])
  const formats = formatsFor(context.formats, schema)
  addEndpoint(router, {
    ...endpoint,
    tag: dataset.name,
    parameters: narrowing,
    response: countsResponse(by),
    formats,
    problems: isExpensive ? [503] : [],
    cacheVersion: context.release,
    expensive: isExpensive,
    respond({ query, canonical, format }) {
      const narrowed = filters(query)
      const describe = (release: ReleaseInfo) =>
        describeRelease(release, dataset.maxAge, `${endpoint.path}.${format}?${canonical}`)
      const written = formats.find(({ name }) => name === format)
      const render = (groups: readonly Group[]): MaybePromise<Buffer> =>
        written === undefined
          ? renderCounts(groups)
          : writeRecords(written, groups.map(recordOf([by])), schema)
      return {
        ...describe(context.snapshot().release),
        body: () =>
          context.readSnapshot(({ release, collection }) =>
            chain(collection.count({ by: [by], filters: narrowed }), groups =>
              chain(render(groups.slice()), body => ({ ...describe(release), body })),
            ),
          ),
      }
    },
  })
}

const countsResponse = (field: string) =>
  Type.Object({
    results: Type.Record(Type.String(), Count, {
      description: `Count by ${field}, in descending order of count, ties by name.`,
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
