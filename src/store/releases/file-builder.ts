import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { buildTableData, type TableBuildOptions } from '../../columnar/build/build-table.ts'
import { collectRows } from '../../columnar/build/collect-rows.ts'
import { PIECE_BYTES } from '../../columnar/file/table-file.ts'
import { tableFile } from '../../columnar/file/write-table-file.ts'
import type { Layout, TableLayout } from '../../query/layout.ts'
import type { ReleaseBuilder } from '../registry/writer.ts'

/** Where an engine keeps the files of a dataset's releases. */
export interface FilePlace {
  /** Puts a file where the release of a number is looked for; resolves to its name, which ends like this. */
  put(number: number, ending: string, pieces: Iterable<Uint8Array>): Promise<string>
  remove(name: string): Promise<void>
}

interface Content extends Pick<ReleaseBuilder, 'append'> {
  /** Builds the file; resolves to its parts, which are given once. */
  build(digests: Uint8Array, onPhase: (phase: string) => void): Promise<Iterable<Uint8Array>>
  readonly ending: string
}

/** Builds the file of a release in memory. */
export function buildFile(layout: Layout, options: TableBuildOptions, files: FilePlace): ReleaseBuilder {
  const { append, build, ending } = layout.kind === 'table' ? tableContent(layout, options) : listContent()
  let parts: Iterable<Uint8Array> | undefined
  let name: string | undefined
  return {
    append,
    async seal(digests, onPhase) {
      parts = await build(digests, onPhase)
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
  const chunks: Buffer[] = []
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk))
  return {
    ending: 'ndjson.gz',
    append(_record, content) {
      return gzip.write(`${content}\n`) ? undefined : once(gzip, 'drain').then(() => undefined)
    },
    async build() {
      gzip.end()
      await finished(gzip)
      return chunks
    },
  }
}

/** The columnar table, in the form in which it is served. */
function tableContent(layout: TableLayout, options: TableBuildOptions): Content {
  const rows = collectRows(layout)
  return {
    ending: 'table',
    append(record) {
      rows.add(record)
      return undefined
    },
    async build(digests, onPhase) {
      onPhase('sorting and indexing')
      const data = await buildTableData(rows.inServedOrder(), layout, options)
      return tableFile(layout, data, digests)
    },
  }
}

/** Cuts bytes into pieces of one size, but for the last. */
function* inPieces(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
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
