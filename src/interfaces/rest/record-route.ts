import Type from 'typebox'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { fromRelease } from '../../datasets/release-representation.ts'
import { notFound } from '../../errors.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { Collection } from '../../query/collection.ts'
import { recordsById } from '../../releases/snapshots/snapshot.ts'
import { chain } from '../../values/promises.ts'
import { respondFrom } from './respond.ts'

/** What a schema says of a field. */
interface Described {
  readonly description?: string
  readonly examples?: unknown[]
}

/** Adds GET {list}/{id}: one record of a dataset that is held in memory, by its id. */
export function addRecordRoute(router: Router, context: DatasetContext): void {
  const { dataset } = context
  const { item = dataset.record } = dataset.list
  const render = serialiser(item)
  const { description = '', examples = [] }: Described = item.properties.id ?? {}
  addEndpoint(router, {
    path: `${dataset.path}/:id`,
    operationId: dataset.list.operationId.replace(/^list(.*)s$/, 'get$1'),
    tag: dataset.name,
    summary: `${dataset.title}: one by its id`,
    parameters: {},
    params: Type.Object({ id: Type.String({ description, examples: examples.map(String) }) }),
    ignoresCase: true,
    response: item,
    problems: [404, 414],
    cacheVersion: context.release,
    respond({ params: { id = '' } }) {
      const snapshot = context.snapshot()
      const record = recordsById(snapshot).get(id.toLowerCase())
      if (record === undefined) throw unknownId(context, id)
      const key = `record ${record.id}`
      return fromRelease(snapshot.release, dataset.maxAge, { key, body: render(record) })
    },
  })
}

const unknownId = ({ dataset }: DatasetContext, id: string) =>
  notFound(`${dataset.title}: none has this id.`, {
    parameter: 'id',
    value: id,
    detail: 'is not the id of a record that is published now',
    allowed: `an id from ${dataset.path}`,
  })

/** Adds GET {list}/{fingerprint}: the records that share it, where it is no key. */
export function addFingerprintRoute(router: Router, context: DatasetContext, field: string): void {
  const { dataset } = context
  const { path, list, record, title } = dataset
  const { description = title, examples = [] }: Described = record.properties[field] ?? {}
  addEndpoint(router, {
    path: `${path}/:${field}`,
    operationId: `${list.operationId}By${field.charAt(0).toUpperCase()}${field.slice(1)}`,
    tag: dataset.name,
    summary: `${title}: those that share a fingerprint`,
    parameters: {},
    params: Type.Object({
      [field]: Type.String({ description, examples }),
    }),
    ignoresCase: true,
    response: Type.Object({ results: Type.Array(record, { description: 'Those that share it.' }) }),
    problems: [404, 414, 503],
    cacheVersion: context.release,
    expensive: true,
    respond({ params }) {
      const equals = (params[field] ?? '').toLowerCase()
      const unknown = () =>
        notFound(`${title}: none has this fingerprint.`, {
          parameter: field,
          value: equals,
          detail: 'is not the fingerprint of a record that is published now',
          allowed: `64 hexadecimal digits, as ${field} in ${path}`,
        })
      if (!/^[0-9a-f]{64}$/.test(equals)) throw unknown()
      const write = (collection: Collection) =>
        chain(
          collection.execute({ filters: [{ field, equals }], limit: MOST_SHARING }),
          ({ total, json }) => {
            if (total === 0) throw unknown()
            return { content: json('{"results":[', ']}') }
          },
        )
      return respondFrom(context, { key: `${field} ${equals}`, write })
    },
  })
}

/** Far more than share one in any register. */
const MOST_SHARING = 1000
