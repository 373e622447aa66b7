import Type from 'typebox'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { describeRelease } from '../../datasets/release-representation.ts'
import { hasId, throwRemovedOr } from '../../datasets/removed-place.ts'
import { Problem } from '../../errors.ts'
import { featureOf } from '../../formats/geojson.ts'
import { writeArray } from '../../formats/json.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import type { Router } from '../../http/router.ts'
import type { Result, StoredRecord } from '../../query/query.ts'
import { recordsById } from '../../releases/snapshots/snapshot.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import { respondList, selectionOf } from '../rest/respond.ts'
import {
  collectionPath,
  featureCollection,
  GEOJSON_TYPE,
  linkedFeature,
  linkTo,
  type PagePosition,
  pageLinks,
} from './documents.ts'
import { FEATURE_FORMAT, itemParameters } from './parameters.ts'

const COMMON = { tag: 'ogc', mediaType: GEOJSON_TYPE, refusesUnknown: true }

/** Adds the features of a dataset, page by page: its records, filtered by a box and by their fields. */
export function addFeatures(router: Router, context: DatasetContext, baseUrl: () => string): void {
  const { dataset, pageLimitMax } = context
  const { list, record, name, title } = dataset
  const { item = record } = list
  const { narrowing, select } = selectionOf(context, list)
  const { near: _near, radius: _radius, ...filters } = narrowing
  const path = `${collectionPath(name)}/items`
  addEndpoint(router, {
    ...COMMON,
    path,
    operationId: `${name}.getFeatures`,
    summary: `${title}: the features`,
    parameters: { ...filters, ...itemParameters({ limitMax: pageLimitMax }) },
    response: featureCollection(item),
    respond({ query, canonical }) {
      const { offset, limit, f } = query
      const { filters = [], place } = select(query)
      const href = addressOf(baseUrl(), path)
      const asked = {
        filters,
        offset,
        limit,
        fields: Object.keys(item.properties),
        place: place && { ...place, orUnknown: true as const },
      }
      const write = ({ total, batches }: Result) => ({
        content: writeArray(pageHead(href, canonical, { offset, limit, total }), batches(), featureOf),
      })
      return {
        ...respondList(context, asked, { key: `${href}?${canonical}`, isLong: true, write }),
        linksOf: name,
        location: f === 'html' ? addressOf(baseUrl(), mapPath(name, canonical)) : undefined,
      }
    },
  })
}

/** The path of the page that shows the places of a dataset. The page takes the filters of places, and ignores others. */
function mapPath(dataset: string, canonical: string): string {
  const query = new URLSearchParams([['dataset', dataset], ...new URLSearchParams(canonical)])
  for (const name of ['f', 'limit', 'offset']) query.delete(name)
  return `/map?${query}`
}

/** The page up to its features; without a `timeStamp`, so that equal pages have equal tags. */
function pageHead(href: string, canonical: string, position: PagePosition): string {
  const { offset, limit, total } = position
  const members = {
    type: 'FeatureCollection',
    numberMatched: total,
    numberReturned: Math.max(0, Math.min(limit, total - offset)),
    links: pageLinks(href, canonical, position),
  }
  return `${JSON.stringify(members).slice(0, -1)},"features":[`
}

/** Adds each feature of a dataset by its id. */
export function addFeature(router: Router, context: DatasetContext, baseUrl: () => string): void {
  const { list, record, maxAge, name, title } = context.dataset
  const { item = record } = list
  const collection = collectionPath(name)
  addEndpoint(router, {
    ...COMMON,
    path: `${collection}/items/:featureId`,
    operationId: `${name}.getFeature`,
    summary: `${title}: one feature`,
    parameters: FEATURE_FORMAT,
    params: Type.Object({ featureId: Type.String({ description: 'The id of the record.' }) }),
    ignoresCase: true,
    problems: [404, 410, 414],
    response: linkedFeature(item),
    respond({ params: { featureId = '' } }) {
      const snapshot = context.snapshot()
      const found = recordsById(snapshot).get(featureId.toLowerCase())
      if (found === undefined) {
        const unknown = new Problem('NOT_FOUND', `${title}: no feature has this id.`)
        const { address } = router.shared
        return throwRemovedOr(unknown, context, { isMeant: hasId(featureId), address })
      }
      const href = addressOf(baseUrl(), collection)
      const self = `${href}/items/${encodeURIComponent(String(found.id))}`
      const links = [
        linkTo(self, { rel: 'self', title: 'This feature', type: GEOJSON_TYPE }),
        linkTo(href, { rel: 'collection', title }),
      ]
      const shown: StoredRecord = Object.fromEntries(
        Object.keys(item.properties).map(field => [field, found[field]]),
      )
      const body = Buffer.from(JSON.stringify({ ...featureOf(shown), links }))
      return { ...describeRelease(snapshot.release, maxAge, self), body, linksOf: name }
    },
  })
}
