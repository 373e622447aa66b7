import { JSON_TYPE } from '../../http/request/negotiation.ts'
import type { Link } from './schemas.ts'

export const GEOJSON_TYPE = 'application/geo+json'

/** The type that the standard gives the definition of an API. */
export const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.0'

export const ROOT_PATH = '/ogc'
export const COLLECTIONS_PATH = `${ROOT_PATH}/collections`

export const collectionPath = (name: string): string => `${COLLECTIONS_PATH}/${name}`

/** Makes a link of a document. The address is absolute: clients join relative ones in different ways. */
export const linkTo = (
  href: string,
  { rel, title, type = JSON_TYPE }: { rel: string; title: string; type?: string },
): Link => ({ href, rel, type, title })

/** The position of a page of features in all that match. */
export interface PagePosition {
  readonly offset: number
  readonly limit: number
  readonly total: number
}

/** The links of a page of features to itself, and to the next and the previous page. */
export function pageLinks(href: string, canonical: string, { offset, limit, total }: PagePosition): Link[] {
  const page = (rel: string, title: string, target: number) => {
    const query = new URLSearchParams(canonical)
    query.delete('offset')
    if (target > 0) query.set('offset', String(target))
    return linkTo(query.size === 0 ? href : `${href}?${query}`, { rel, title, type: GEOJSON_TYPE })
  }
  return [
    page('self', 'This page', offset),
    ...(offset + limit < total ? [page('next', 'Next page', offset + limit)] : []),
    ...(offset > 0 ? [page('prev', 'Previous page', Math.max(0, offset - limit))] : []),
  ]
}
