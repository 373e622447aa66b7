import Type, { type TObject } from 'typebox'
import type { DatasetContext } from '../../datasets/dataset.ts'
import type { RecordFormat } from '../../formats/format.ts'
import { formatsFor } from '../../formats/formats.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import type { Router } from '../../http/router.ts'
import { hasGeometry } from '../../query/geometry.ts'
import { DISTANCE } from '../../query/list-collection.ts'
import { fieldsParameter, INCLUDE, type ParameterValues } from '../../query/parameters.ts'
import { Provenance } from '../../query/provenance.ts'
import type { Area, Query, Result } from '../../query/query.ts'
import { InvalidParameter } from '../../values/values.ts'
import { feedHeader, feedOf } from '../feeds/feed-links.ts'
import {
  cursorAt,
  type PageValues,
  paged,
  pageFrame,
  pageParameters,
  paginationLinks,
  paginationOf,
  requirePage,
} from './pagination.ts'
import { LIST_FRAME, LONGEST_BUFFERED_PAGE, respondList, selectionOf, streamPage } from './respond.ts'

const Distance = Type.Integer({
  minimum: 0,
  description: 'Only with `near`: the distance from there in metres, as the crow flies.',
})

const AT_DISTANCE = { [DISTANCE]: Type.Optional(Distance) }
const PROVENANCE_PARAMETER = { include: INCLUDE }

interface NamedSchema extends TObject {
  readonly $id?: string
  readonly title?: string
  readonly description?: string
}

/** The schema of the entries of a list: an entry may have its provenance, and a distance if records have a position. */
function entrySchema(item: NamedSchema, isTable: boolean): TObject {
  if (isTable) return item
  const { $id = 'Entry', title = $id, description = '' } = item
  const distance = hasGeometry(item) ? AT_DISTANCE : {}
  return Type.Object(
    { ...item.properties, ...distance, provenance: Type.Optional(Provenance) },
    {
      $id: $id.replace(/(InList)?$/, 'InList'),
      title: title.replace(/( in the list)?$/, ' in the list'),
      description,
    },
  )
}

/** The schema of the entries of one result: the chosen fields in the order of the schema, and the distance from a point. */
function shownSchema(item: TObject, fields: readonly string[] | undefined, place: Area | undefined): TObject {
  if (fields === undefined && place?.near === undefined) return item
  const shown = Object.entries(item.properties).filter(([name]) => fields?.includes(name) ?? true)
  if (place?.near !== undefined) shown.push([DISTANCE, Distance])
  return Type.Object(Object.fromEntries(shown))
}

/** Adds the list of a dataset: complete as `{results: [...]}`, or in pages; long pages and other formats are streamed. */
export function addListRoute(router: Router, context: DatasetContext): void {
  const { dataset, pageLimitMax, requestsPerHour } = context
  const { list, record } = dataset
  const { item = record, isRateLimited = false } = list
  const pageLength = list.pageLength && Math.min(list.pageLength, pageLimitMax)
  const feed = feedOf(dataset)
  const { parameters, select, sort } = selectionOf(context, list)
  const isExpensive = dataset.layout.kind === 'table'
  const formats = formatsFor(context.formats, item)
  const entry = entrySchema(item, isExpensive)
  const included = isExpensive ? {} : PROVENANCE_PARAMETER
  addEndpoint(router, {
    path: dataset.path,
    operationId: list.operationId,
    tag: dataset.name,
    summary: list.summary,
    description: list.description,
    parameters: {
      ...pageParameters(pageLimitMax, pageLength),
      ...parameters,
      fields: fieldsParameter(Object.keys(item.properties)),
      ...included,
    },
    response: pageLength
      ? paged(entry)
      : Type.Object({ results: Type.Array(entry, { description: 'The entries.' }) }),
    formats,
    problems: [...(pageLength ? [410] : []), ...(isRateLimited ? [429] : []), ...(isExpensive ? [503] : [])],
    cacheVersion: context.release,
    expensive: isExpensive,
    requestsPerHour: isRateLimited ? requestsPerHour : undefined,
    respond({ query, canonical: sent, path, format }) {
      const values: ListValues = query
      const { release: current } = context.snapshot()
      const written = formats.find(({ name }) => name === format)
      const isJson = written === undefined
      if (pageLength) requirePage(values, isJson)
      // Other formats have every entry unless the request limits their number.
      const hasLength = isJson || values.cursor !== undefined
      const canonical = hasLength ? withoutLimit(sent, pageLength) : sent
      const cursor = cursorAt(values.cursor, canonical, current)
      const limit = values.limit ?? (hasLength ? pageLength : undefined)
      const offset = cursor?.offset ?? ((values.page ?? 1) - 1) * (limit ?? 0)
      const position = pageLength && limit !== undefined && { limit, offset, cursor }
      if (values.include !== undefined && !isJson) throw ONLY_JSON
      const selection = select(values)
      const shown = shownSchema(item, values.fields, selection.place)
      const asked: Query = {
        ...selection,
        sort: sort?.(values) ?? [],
        offset,
        limit,
        fields: shown === record ? undefined : namesOf(shown, written),
        provenance: values.include !== undefined,
      }
      const most = isJson ? (position ? position.limit : 0) : Math.min(limit ?? current.rows, current.rows)
      const isLong = most > LONGEST_BUFFERED_PAGE
      const write = ({ total, json, batches }: Result) => {
        const pagination = position ? paginationOf(position, total) : undefined
        const frame = pagination ? pageFrame(pagination) : LIST_FRAME
        const links = [
          pagination && paginationLinks(router.shared.address(path), canonical, pagination),
          feed && feedHeader(feed, router.shared.address),
        ].filter(link => link !== undefined)
        return {
          content:
            written?.write(batches(), shown) ?? (isLong ? streamPage(batches(), frame) : json(...frame)),
          heldBytes: written?.heldBytes,
          link: links.join(', ') || undefined,
        }
      }
      // The same records may be published again with other corrections.
      const told = values.include === undefined ? '' : ` ${current.publishedAt}`
      const answer = { key: `${path}?${canonical}${told}`, isLong, from: cursor?.release, write }
      return { ...respondList(context, asked, answer), linksWithBody: Boolean(position || feed) }
    },
  })
}

const ONLY_JSON = new InvalidParameter({
  parameter: 'include',
  value: 'provenance',
  detail: 'is given for another format than JSON',
  allowed: 'together with JSON',
})

interface ListValues extends ParameterValues, PageValues {
  readonly fields?: readonly string[] | undefined
  readonly include?: readonly string[] | undefined
}

/** The fields to read: the shown fields, and any others that the format needs. */
const namesOf = ({ properties }: TObject, format: RecordFormat | undefined): string[] =>
  [...Object.keys(properties), ...(format?.reads ?? [])].filter(name => name !== DISTANCE)

/** A canonical query without a `limit` that equals the default. */
const withoutLimit = (canonical: string, pageLength: number | undefined): string =>
  canonical
    .split('&')
    .filter(part => part !== `limit=${pageLength}`)
    .join('&')
