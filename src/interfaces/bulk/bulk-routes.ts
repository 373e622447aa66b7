import Type from 'typebox'
import { carparks } from '../../datasets/carparks/index.ts'
import type { ServedDataset } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import { essenceOf } from '../../http/negotiation.ts'
import type { ParsedRequest } from '../../http/request.ts'
import type { Router } from '../../http/router.ts'
import type { ParkingService } from '../../parking/service.ts'
import { DAY_S } from '../../values/time-units.ts'
import { datasetNamed, oneNamed } from '../catalogue/dataset-named.ts'
import { type BulkFile, type BulkFiles, bulkFormats, type LazyFile } from './bulk-files.ts'
import { type HistoryFile, historyFiles } from './history-files.ts'

const TAG = 'catalogue'
/** A file never changes, but a new store may have another file at the same address. */
const FILE_MAX_AGE_S = 7 * DAY_S

const name = Type.String({ description: 'Name of a dataset.', examples: ['toilets'] })
const ifMade = '; null until it is made, at its first request'

const fileOf = (path: string) => ({
  format: Type.String({ description: 'Name of the format.', examples: ['csv'] }),
  path: Type.String({ description: 'Where it is, relative to the host.', examples: [path] }),
  mediaType: Type.String({ examples: ['text/csv'] }),
  bytes: field.nullableInteger({ description: `Its length${ifMade}.`, minimum: 0 }),
  sha256: field.nullableText({ description: `SHA-256 of its bytes, hexadecimal${ifMade}.` }),
})
const madeAt = field.nullableTimestamp({ description: `When it was made${ifMade}.` })

const FileEntry = Type.Object(
  {
    ...fileOf('/v1/datasets/toilets/files/3.csv'),
    rows: Type.Integer({ description: 'Number of records.', minimum: 0 }),
    madeAt,
  },
  { $id: 'BulkFile', title: 'File of a release' },
)

const HistoryEntry = Type.Object(
  {
    month: Type.String({ description: "The month by the island's clocks.", examples: ['2026-10'] }),
    ...fileOf('/v1/datasets/carparks/files/history-2026-10.csv'),
    madeAt,
  },
  { $id: 'HistoryFile', title: 'Month of parking history' },
)

const Manifest = Type.Object(
  {
    dataset: name,
    release: Type.Integer({ description: 'Number of the current release.', minimum: 1 }),
    files: Type.Array(FileEntry, { description: 'A file for each format.' }),
    history: Type.Optional(
      Type.Array(HistoryEntry, {
        description: 'Car parks alone: each count of each month that is over, oldest first.',
      }),
    ),
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
export function addBulkRoutes(
  router: Router,
  contexts: readonly ServedDataset[],
  files: BulkFiles,
  parking: ParkingService,
): void {
  const historyOf = ({ dataset }: ServedDataset) =>
    dataset.name === carparks.name ? historyFiles(parking, files) : undefined
  const contextNamed = (params: ParsedRequest['params']): ServedDataset => {
    const context = datasetNamed(contexts, params.name)
    context.requireInService()
    return context
  }

  addEndpoint(router, {
    path: '/v1/datasets/:name/files',
    operationId: 'listFiles',
    tag: TAG,
    summary:
      'The current release of a dataset, and the months of parking history, as files with sizes and hashes',
    parameters: {},
    params: Type.Object({ name }),
    response: Manifest,
    problems: [404, 414, 503],
    async respond({ params }) {
      const context = contextNamed(params)
      const { release } = context.snapshot()
      const history = await historyOf(context)
      const current = files.of(context).filter(each => each.release.number === release.number)
      const { name: dataset } = context.dataset
      const entryOf = (file: LazyFile, fileName: string) => ({
        format: file.format.name,
        path: router.shared.address(`/v1/datasets/${dataset}/files/${fileName}`),
        mediaType: essenceOf(file.format.mediaType),
        bytes: file.made()?.bytes ?? null,
        sha256: file.made()?.sha256 ?? null,
        rows: file.release?.rows,
        madeAt: file.made()?.madeAt ?? null,
      })
      const manifest = {
        dataset,
        release: release.number,
        files: current.map(file => entryOf(file, nameOf(file))),
        history: history?.map(each => ({ month: each.month, ...entryOf(each.file, historyName(each)) })),
      }
      const made = manifest.files.flatMap(({ madeAt }) => madeAt ?? [])
      const times = [release.currentSince ?? release.publishedAt, ...made]
      // Nobody tells when past readings were imported or removed, which changes the months.
      const lastModified = new Date(history === undefined ? (times.sort().at(-1) ?? 0) : Date.now())
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
    summary: 'A release of a dataset, or a month of parking history, as a file',
    description:
      'Every record with every field. A file is made at its first request, which gets it while it is written. Parts can be requested by `Range`, so that a download that broke off is resumed; a part waits until the file is whole. A file stays until its release has been superseded twice.',
    parameters: {},
    params: Type.Object({
      name,
      file: Type.String({ description: 'A file of the manifest.', examples: ['3.csv'] }),
    }),
    kind: 'file',
    headers: RANGE_HEADERS,
    formats: contexts.flatMap(bulkFormats),
    problems: [404, 414, 416, 503],
    async respond({ params }) {
      const context = contextNamed(params)
      const wanted = params.file ?? ''
      const past = (await historyOf(context))?.find(each => historyName(each) === wanted)?.file
      const body = past ?? fileNamed(files.of(context), wanted)
      const { name } = context.dataset
      const about = { linksOf: name, staleIfError: FILE_MAX_AGE_S, type: body.format.mediaType, body }
      const fileName = `${name}-${wanted}`
      if (body.release !== undefined) {
        const { publishedAt, synthetic } = body.release
        return { ...about, lastModified: new Date(publishedAt), maxAge: FILE_MAX_AGE_S, synthetic, fileName }
      }
      // Past readings may be imported at any time: the file is then made anew.
      const lastModified = new Date(body.made()?.madeAt ?? Date.now())
      return { ...about, lastModified, maxAge: DAY_S, synthetic: parking.synthetic, fileName }
    },
  })
}

/** The file with a name. Throws NOT_FOUND for an unknown name. */
const fileNamed = (files: readonly BulkFile[], wanted: string): BulkFile =>
  oneNamed(files, wanted, nameOf, {
    problem: 'There is no file of this name.',
    parameter: 'file',
    detail: 'is not the name of a file',
  })

const nameOf = ({ release, format }: BulkFile): string => `${release.number}.${format.name}`

const historyName = ({ month, file }: HistoryFile): string => `history-${month}.${file.format.name}`
