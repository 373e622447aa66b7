import Type from 'typebox'
import type { ServedDataset } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'
import { Problem } from '../../errors.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import { essenceOf } from '../../http/negotiation.ts'
import type { ParsedRequest } from '../../http/request.ts'
import type { Router } from '../../http/router.ts'
import { DAY_S } from '../../values/time-units.ts'
import { datasetNamed, oneNamed } from '../catalogue/dataset-named.ts'
import { type BulkFiles, bulkFormats } from './bulk-files.ts'

const TAG = 'catalogue'
/** A file never changes, but a new store may have another file at the same address. */
const FILE_MAX_AGE_S = 7 * DAY_S
/** Most files are made within this time. */
const RETRY_AFTER_S = 5

const name = Type.String({ description: 'Name of a dataset.', examples: ['toilets'] })
const ifMade = '; null until it is made, seconds after the release became current'

const FileEntry = Type.Object(
  {
    format: Type.String({ description: 'Name of the format.', examples: ['csv'] }),
    path: Type.String({
      description: 'Where it is, relative to the host.',
      examples: ['/v1/datasets/toilets/files/3.csv'],
    }),
    mediaType: Type.String({ examples: ['text/csv'] }),
    bytes: field.nullableInteger({ description: `Its length${ifMade}.`, minimum: 0 }),
    sha256: field.nullableText({ description: `SHA-256 of its bytes, hexadecimal${ifMade}.` }),
    rows: Type.Integer({ description: 'Number of records.', minimum: 0 }),
    madeAt: field.nullableTimestamp({ description: `When it was made${ifMade}.` }),
  },
  { $id: 'BulkFile', title: 'File of a release' },
)

const Manifest = Type.Object(
  {
    dataset: name,
    release: Type.Integer({ description: 'Number of the current release.', minimum: 1 }),
    files: Type.Array(FileEntry, { description: 'A file for each format.' }),
  },
  { $id: 'BulkFiles', title: 'Files of a release' },
)

const RANGE_HEADERS = {
  Range: Type.String({ description: 'The bytes wanted: one range of them.', examples: ['bytes=0-3'] }),
  'If-Range': Type.String({
    description:
      'With `Range`: the `ETag` or `Last-Modified` of the part that you have. Where it is not current, the whole file comes.',
    examples: ['"nvZeiGuvWJFDrMIvVkCX1_"'],
  }),
}

/** Adds the manifest of the files of each dataset, and the files. */
export function addBulkRoutes(router: Router, contexts: readonly ServedDataset[], files: BulkFiles): void {
  const contextNamed = (params: ParsedRequest['params']): ServedDataset => {
    const context = datasetNamed(contexts, params.name)
    context.requireInService()
    return context
  }

  addEndpoint(router, {
    path: '/v1/datasets/:name/files',
    operationId: 'listFiles',
    tag: TAG,
    summary: 'The current release of a dataset as files, with sizes and hashes',
    parameters: {},
    params: Type.Object({ name }),
    response: Manifest,
    problems: [404, 414, 503],
    respond({ params }) {
      const context = contextNamed(params)
      const { release } = context.snapshot()
      const current = filesOf(context, files).filter(each => each.release.number === release.number)
      const times = current.flatMap(({ file }) => file?.madeAt ?? [])
      const lastModified = new Date(
        [release.currentSince ?? release.publishedAt, ...times].sort().at(-1) ?? 0,
      )
      const { name: dataset } = context.dataset
      const manifest = {
        dataset,
        release: release.number,
        files: current.map(({ name, format, file }) => ({
          format: format.name,
          path: router.shared.address(`/v1/datasets/${dataset}/files/${name}`),
          mediaType: essenceOf(format.mediaType),
          bytes: file?.bytes ?? null,
          sha256: file?.sha256 ?? null,
          rows: release.rows,
          madeAt: file?.madeAt ?? null,
        })),
      }
      return {
        lastModified,
        maxAge: 60,
        staleIfError: DAY_S,
        synthetic: release.synthetic,
        linksOf: dataset,
        body: Buffer.from(JSON.stringify(manifest)),
      }
    },
  })

  addEndpoint(router, {
    path: '/v1/datasets/:name/files/:file',
    operationId: 'getFile',
    tag: TAG,
    summary: 'A release of a dataset as a file',
    description:
      'Every record with every field. Parts can be requested by `Range`, so that a download that broke off is resumed. A file stays as it is until its release has been superseded twice.',
    parameters: {},
    params: Type.Object({
      name,
      file: Type.String({ description: 'A file of the manifest.', examples: ['3.csv'] }),
    }),
    kind: 'file',
    headers: RANGE_HEADERS,
    formats: contexts.flatMap(bulkFormats),
    problems: [404, 414, 416, 503],
    respond({ params }) {
      const context = contextNamed(params)
      const { release, format, file } = fileNamed(context, files, params.file ?? '')
      return {
        linksOf: release.dataset,
        lastModified: new Date(release.publishedAt),
        maxAge: FILE_MAX_AGE_S,
        staleIfError: FILE_MAX_AGE_S,
        synthetic: release.synthetic,
        type: format.mediaType,
        fileName: `${release.dataset}-${release.number}.${format.name}`,
        body: file,
      }
    },
  })
}

/** The files of the current and the kept releases, by name, made or not. */
function filesOf(context: ServedDataset, files: BulkFiles) {
  const current = context.snapshot().release
  const kept = files.kept(context.dataset.name)
  const own = kept.find(({ release }) => release.number === current.number)
  const others = kept.filter(each => each !== own)
  return [{ release: current, made: own?.made }, ...others].flatMap(({ release, made }) =>
    bulkFormats(context).map(format => ({
      name: `${release.number}.${format.name}`,
      release,
      format,
      file: made?.get(format),
    })),
  )
}

/** The file with a name. Throws NOT_FOUND for an unknown name, and DATASET_UNAVAILABLE for a file still to be made. */
function fileNamed(context: ServedDataset, files: BulkFiles, wanted: string) {
  const { release, format, file } = oneNamed(filesOf(context, files), wanted, ({ name }) => name, {
    problem: 'There is no file of this name.',
    parameter: 'file',
    detail: 'is not the name of a file',
  })
  if (file !== undefined) return { release, format, file }
  throw new Problem('DATASET_UNAVAILABLE', `${wanted} is still being made.`, { retryAfterS: RETRY_AFTER_S })
}
