import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { buildTableData, type TableBuildOptions } from '../../columnar/build/build-table.ts'
import { collectRows } from '../../columnar/build/collect-rows.ts'
import { tableFile } from '../../columnar/build/write-table-file.ts'
import { PIECE_BYTES } from '../../columnar/read-table-file.ts'
import { type Layout, recordCheck, type TableLayout } from '../../query/layout.ts'
import { type Measured, measureWithDigests } from '../encoding/digests.ts'
import type { ReleaseBuilder } from '../registry/writer.ts'

/** An engine's place for the files of a dataset's releases. */
export interface FilePlace {
  /** Puts a file in the place of the release with this number. Resolves to the file's name, which has the ending. */
  put(number: number, ending: string, pieces: Iterable<Uint8Array>): Promise<string>
  remove(name: string): Promise<void>
}

/** The content of a release's file, as it grows. */
interface Content extends Pick<ReleaseBuilder, 'append'> {
  /** Resolves to the measures of the records and the parts of the file. The parts can be iterated once. */
  build(onPhase: (phase: string) => void): Promise<{ measures: Measured; parts: Iterable<Uint8Array> }>
  readonly ending: string
}

/** Builds the file of a release in memory. */
export function buildFile(layout: Layout, options: TableBuildOptions, files: FilePlace): ReleaseBuilder {
  const { append, build, ending } = layout.kind === 'table' ? tableContent(layout, options) : listContent()
  let parts: Iterable<Uint8Array> | undefined
  let name: string | undefined
  return {
    append,
    async seal(onPhase) {
      const built = await build(onPhase)
      parts = built.parts
      return built.measures
    },
    async place(number) {
      if (parts === undefined) throw new Error('only a sealed release can be placed')
      const hash = createHash('sha256')
      let bytes = 0
      function* counted(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
        for (const piece of pieces) {
          hash.update(piece)
          bytes += piece.length
          yield piece
        }
      }
      name = await files.put(number, ending, counted(inPieces(parts)))
      parts = undefined
      return { name, bytes, sha256: hash.digest('hex') }
    },
    async remove() {
      parts = undefined
      if (name !== undefined) await files.remove(name)
    },
  }
}

/** Whole records as NDJSON, gzipped, in the order of the source. */
function listContent(): Content {
  const gzip = createGzip()
  const measured = measureWithDigests()
  const chunks: Buffer[] = []
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk))
  return {
    ending: 'ndjson.gz',
    append(key, _record, content) {
      measured.add(key, content)
      return gzip.write(`${content}\n`) ? undefined : once(gzip, 'drain').then(() => undefined)
    },
    async build() {
      gzip.end()
      await finished(gzip)
      return { measures: measured.end(), parts: chunks }
    },
  }
}

/** The columnar table, as it is served. */
function tableContent(layout: TableLayout, options: TableBuildOptions): Content {
  const rows = collectRows(layout)
  const check = recordCheck(layout)
  const measured = measureWithDigests()
  return {
    ending: 'table',
    append(key, record, content) {
      check(record)
      rows.add(record)
      measured.add(key, content)
      return undefined
    },
    async build(onPhase) {
      onPhase('sorting and indexing')
      const measures = measured.end()
      const data = await buildTableData(rows.inServedOrder(), layout, options)
      return { measures, parts: tableFile(layout, data, measures.digests) }
    },
  }
}

/** Cuts bytes into pieces of the same size, except the last. */
export function* inPieces(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let piece = Buffer.allocUnsafe(PIECE_BYTES)
  let filled = 0
  for (const part of parts)
    for (let at = 0; at < part.length; ) {
      const some = part.subarray(at, at + PIECE_BYTES - filled)
      piece.set(some, filled)
      filled += some.length
      at += some.length
      if (filled < PIECE_BYTES) continue
      yield piece
      piece = Buffer.allocUnsafe(PIECE_BYTES)
      filled = 0
    }
  if (filled > 0) yield piece.subarray(0, filled)
}
