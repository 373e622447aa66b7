import type { DatasetContext } from '../../datasets/dataset.ts'
import { describeOrigin, originOf } from '../../datasets/origin.ts'
import type { Router } from '../../http/routing/router.ts'
import { boundsOf, pointOf } from '../../query/geometry.ts'
import { oncePerSnapshot } from '../../releases/snapshots/snapshot.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import { addDocument, type OgcOptions } from './documents.ts'
import { COLLECTIONS_PATH, collectionPath, GEOJSON_TYPE, linkTo } from './links.ts'
import { CollectionInfo, Collections, CRS84 } from './schemas.ts'

/** Adds the list of the collections that are available, and each collection. */
export function addCollections(
  router: Router,
  contexts: readonly DatasetContext[],
  options: OgcOptions,
): void {
  addDocument(router, options, {
    path: COLLECTIONS_PATH,
    operationId: 'getCollections',
    summary: 'The collections: datasets of places that are available',
    response: Collections,
    make() {
      const available = options.describe().filter(entry => entry.available)
      return {
        links: [
          linkTo(addressOf(options.baseUrl(), COLLECTIONS_PATH), { rel: 'self', title: 'The collections' }),
        ],
        collections: contexts
          .filter(({ dataset }) => available.some(({ name }) => name === dataset.name))
          .map(context => infoOf(context, options)),
      }
    },
  })
  for (const context of contexts) {
    const { name, title } = context.dataset
    addDocument(router, options, {
      path: collectionPath(name),
      operationId: `${name}.getCollection`,
      summary: `${title}: the collection`,
      response: CollectionInfo,
      make: () => infoOf(context, options),
    })
  }
}

/** A collection as it is now. Throws DATASET_UNAVAILABLE where its dataset is. */
function infoOf(context: DatasetContext, { baseUrl, metadata }: OgcOptions): CollectionInfo {
  const snapshot = context.snapshot()
  const { name, title, description } = context.dataset
  const origin = originOf(metadata, snapshot.release)
  const { attribution, licence, licenceUrl } = origin
  const href = addressOf(baseUrl(), collectionPath(name))
  const bbox = extentOf(snapshot)
  return {
    id: name,
    title,
    description: `${description} ${describeOrigin(origin)}`,
    ...(attribution !== null && { attribution }),
    ...(bbox && { extent: { spatial: { bbox: [bbox], crs: CRS84 } } }),
    itemType: 'feature',
    crs: [CRS84],
    links: [
      linkTo(href, { rel: 'self', title: 'This collection' }),
      linkTo(`${href}/items`, { rel: 'items', title, type: GEOJSON_TYPE }),
      ...(licenceUrl === null
        ? []
        : [linkTo(licenceUrl, { rel: 'license', title: licence ?? 'The licence', type: 'text/html' })]),
    ],
  }
}

/** The area of the positions; undefined where there are none. */
const extentOf = oncePerSnapshot(({ records }) => boundsOf(records.flatMap(record => pointOf(record) ?? [])))
