import { buffer } from 'node:stream/consumers'
import Type from 'typebox'
import type { DatasetContext, DatasetOperation } from '../../datasets/dataset.ts'
import { describeRelease, type ReleaseInfo } from '../../datasets/release-representation.ts'
import { formatsFor } from '../../formats/formats.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { Collection } from '../../query/collection.ts'
import { fieldsOf } from '../../query/fields.ts'
import { countByParameter, topParameter } from '../../query/parameters/count-parameters.ts'
import type { CountQuery } from '../../query/query.ts'
import type { Groups } from '../../query/result.ts'
import { chain, type MaybePromise } from '../../values/promises.ts'
import { Count, groupBatches, groupSchema, keyNames, keyOf, keySchema } from './groups.ts'
import { parametersOf } from './parameters-of.ts'
import { LONGEST_BUFFERED_PAGE, streamPage } from './streamed-page.ts'

interface Stats extends DatasetOperation {
  readonly path: string
  readonly alias?: string
  /** The fields to count by; without them clients choose keys with the parameter `by`. */
  readonly by?: readonly string[]
}

/**
 * Adds an endpoint that counts the records of a dataset in groups: `{total, groups, results: [{key, count}], rest}`. Many
 * groups are streamed.
 */
export function addStatsRoute(
  router: Router,
  context: DatasetContext,
  { by: given, parameters: own, ...endpoint }: Stats,
): void {
  const { dataset } = context
  const { parameters, filters, place: placeOf } = parametersOf(context, { ...(own && { parameters: own }) })
  const { sort: _sort, ...narrowing } = parameters
  const names = given ?? keyNames(dataset)
  const lists = new Set(fieldsOf(dataset.record).flatMap(({ name, kind }) => (kind === 'list' ? [name] : [])))
  const isExpensive = dataset.layout.kind === 'table'
  const formats = formatsFor(context.formats, groupSchema(dataset, names))
  addEndpoint(router, {
    ...endpoint,
    tag: dataset.name,
    parameters: {
      ...(given === undefined && { by: countByParameter(names) }),
      ...narrowing,
      // The groups of fixed fields are many: without a bound, whoever only looks would get all of them.
      top: topParameter(given && LONGEST_BUFFERED_PAGE),
    },
    response: responseOf(names.map(name => [name, keySchema(dataset, name)])),
    formats,
    problems: isExpensive ? [503] : [],
    cacheVersion: context.release,
    expensive: isExpensive,
    respond({ query: values, canonical, format }) {
      const { by: chosen = names, top } = values as { by?: readonly string[]; top?: number }
      const place = placeOf?.(values)
      const query = {
        by: chosen.map(name => keyOf(dataset, name, values)),
        filters: filters(values),
        ...(place && { place }),
      }
      const hasLists = chosen.some(name => lists.has(name))
      const written = formats.find(({ name }) => name === format)
      const describe = (release: ReleaseInfo) =>
        describeRelease(release, dataset.maxAge, `${endpoint.path}.${format}?${canonical}`)
      const counted = (collection: Collection) =>
        chain(collection.count(query), groups =>
          chain(hasLists ? recordsOf(collection, query) : groups.sum(), total => {
            const shown = groupBatches(chosen, groups, top)
            return {
              chunks:
                written?.write(shown, groupSchema(dataset, chosen)) ??
                streamPage(shown, frameOf(total, groups, top)),
              heldBytes: groups.bytes + (written?.heldBytes ?? 0),
            }
          }),
        )
      const body = () =>
        context.readSnapshot(async ({ release, collection }) => ({
          ...describe(release),
          body: await buffer((await counted(collection)).chunks),
        }))
      const open = () =>
        context.readSnapshot(async ({ release, collection }) => ({
          ...describe(release),
          ...(await counted(collection)),
        }))
      const isLong = top === undefined ? chosen.length > 1 : top > LONGEST_BUFFERED_PAGE
      return { ...describe(context.snapshot().release), body: isLong ? { open } : body }
    },
  })
}

const responseOf = (keys: readonly (readonly [name: string, schema: Type.TSchema])[]) =>
  Type.Object({
    total: Type.Integer({
      minimum: 0,
      description: 'Number of records that match. By the entries of lists, a record counts once for each.',
    }),
    groups: Type.Integer({ minimum: 0, description: 'Number of groups.' }),
    results: Type.Array(
      Type.Object({
        ...Object.fromEntries(keys.map(([name, schema]) => [name, Type.Optional(schema)])),
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

const recordsOf = (collection: Collection, { filters = [] }: CountQuery): MaybePromise<number> =>
  chain(collection.execute({ filters, limit: 0 }), ({ total }) => total)
