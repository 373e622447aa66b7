import Type from 'typebox'
import type { Dataset, ServedDataset } from '../../datasets/dataset.ts'
import { oneRecord } from '../../datasets/release-representation.ts'
import { hasId, throwRemovedOr } from '../../datasets/removed-place.ts'
import { notFound } from '../../errors.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import type { Router } from '../../http/router.ts'
import { hasGeometry } from '../../query/geometry.ts'
import type { Result } from '../../query/query.ts'
import { recordsById } from '../../releases/snapshots/snapshot.ts'
import { LIST_FRAME, respondList } from './respond.ts'

/** Adds GET {list}/{id}: one record of a dataset that is held in memory, by its id. */
export function addRecordRoute(router: Router, context: ServedDataset): void {
  const { dataset } = context
  const { item = dataset.record } = dataset.list
  const { show, ...answer } = oneRecord(item)
  addEndpoint(router, {
    ...namedBy('id', context),
    operationId: dataset.list.operationId.replace(/^list(.*)s$/, 'get$1'),
    summary: `${dataset.title}: one by its id`,
    ...answer,
    problems: hasGeometry(dataset.record) ? [404, 410, 414] : [404, 414],
    respond({ params: { id = '' }, query }) {
      const snapshot = context.snapshot()
      const record = recordsById(snapshot).get(id.toLowerCase())
      if (record === undefined) {
        const allowed = `an id from ${dataset.path}`
        const problem = unknown(dataset, { parameter: 'id', noun: 'id', value: id, allowed })
        return throwRemovedOr(problem, context, { isMeant: hasId(id), address: router.shared.address })
      }
      return show(record, snapshot, { maxAge: dataset.maxAge, ...query })
    },
  })
}

/** Adds GET {list}/{fingerprint}: the records that share a fingerprint, which is not unique. */
export function addFingerprintRoute(router: Router, context: ServedDataset, field: string): void {
  const { path, list, record, title } = context.dataset
  addEndpoint(router, {
    ...namedBy(field, context),
    operationId: `${list.operationId}By${field.charAt(0).toUpperCase()}${field.slice(1)}`,
    summary: `${title}: those that share a fingerprint`,
    response: Type.Object({ results: Type.Array(record, { description: 'Those that share it.' }) }),
    problems: [404, 414, 503],
    expensive: true,
    respond({ params }) {
      const equals = (params[field] ?? '').toLowerCase()
      const allowed = `64 hexadecimal digits, as ${field} in ${path}`
      const refuse = () =>
        unknown(context.dataset, { parameter: field, noun: 'fingerprint', value: equals, allowed })
      if (!/^[0-9a-f]{64}$/.test(equals)) throw refuse()
      const write = ({ total, json }: Result) => {
        if (total === 0) throw refuse()
        return { content: json(...LIST_FRAME) }
      }
      const asked = { filters: [{ field, equals }], limit: MOST_SHARING }
      return respondList(context, asked, { key: `${field} ${equals}`, write })
    },
  })
}

/** Far more records than share a fingerprint in any register. */
const MOST_SHARING = 1000

/** The common declaration of endpoints with a path that ends with the value of a field. */
function namedBy(field: string, { dataset, release }: ServedDataset) {
  const { path, name, record } = dataset
  const { description = '', examples = [] }: { description?: string; examples?: unknown[] } =
    record.properties[field] ?? {}
  return {
    path: `${path}/:${field}`,
    tag: name,
    parameters: {},
    params: Type.Object({ [field]: Type.String({ description, examples: examples.map(String) }) }),
    ignoresCase: true,
    cacheVersion: release,
  }
}

/** The problem for a path that names no record. */
const unknown = (
  { title }: Dataset,
  { noun, ...error }: Record<'parameter' | 'noun' | 'value' | 'allowed', string>,
) =>
  notFound(`${title}: none has this ${noun}.`, {
    ...error,
    detail: `is not the ${noun} of a record that is published now`,
  })
