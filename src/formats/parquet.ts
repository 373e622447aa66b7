import type { ByteWriter, ParquetWriter, SchemaElement } from 'hyparquet-writer'
import { type FlatColumn, flatColumnsOf } from '../query/layout.ts'
import type { StoredRecord } from '../query/query.ts'
import { createGate } from '../values/promises.ts'
import { DAY_MS } from '../values/time-units.ts'
import type { RecordFormat } from './format.ts'

/**
 * Rows of a row group. A group is in memory as bytes until it is sent. Each column is encoded in one step. The footer, which
 * describes every column of every group, is one step, too. With this many rows, the longest column of vehicles and the footer
 * of the whole register take 3 ms each. Compressing would double the time for a fifth fewer bytes.
 */
const GROUP_ROWS = 4096

/** A group of vehicles takes a megabyte of the heap as values, so only a few downloads may read a group at a time. */
const enterReading = createGate(4)

/**
 * Apache Parquet with the columns of CSV, typed. Equal records give equal bytes, however they are batched. Reading a batch
 * is one step, and encoding a column is one step. A group is encoded whole before it is sent: the values take three times
 * the memory of the bytes, and a client may not read for seconds.
 */
export const parquet: RecordFormat = {
  name: 'parquet',
  mediaType: 'application/vnd.apache.parquet',
  description: 'Apache Parquet: the columns of the CSV, with types.',
  isDownload: true,
  // A vehicle takes 100 bytes.
  heldBytes: GROUP_ROWS * 100,
  async *write(batches, schema) {
    const columns = flatColumnsOf(schema).map(toParquet)
    const elements = columns.flatMap(column => column.elements)
    const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
    let writer = new ByteWriter()
    const file = new ParquetWriter({
      writer,
      schema: [{ name: 'root', num_children: columns.length }, ...elements],
      codec: 'UNCOMPRESSED',
    })
    /** Encodes a group in steps that send nothing, and returns its columns. */
    function* encode(rows: readonly StoredRecord[]): Generator<Buffer, Buffer[]> {
      const encoded: Buffer[] = []
      for (const { name, statistics, read } of columns) {
        file.write({ columnData: [{ name, statistics, data: rows.map(read) }], rowGroupSize: GROUP_ROWS })
        encoded.push(taken(writer))
        yield NOTHING
      }
      joinColumns(file, columns.length, rows.length)
      // Frees the old writer's buffer, which has grown, while the client reads.
      writer = Object.assign(new ByteWriter(), { offset: writer.offset })
      file.writer = writer
      return encoded
    }
    const rows: StoredRecord[] = []
    let leave = await enterReading()
    try {
      for await (const batch of batches) {
        rows.push(...batch.records())
        yield NOTHING
        while (rows.length >= GROUP_ROWS) {
          const group = yield* encode(rows.splice(0, GROUP_ROWS))
          leave()
          yield* group
          leave = await enterReading()
        }
      }
      if (rows.length > 0) {
        const group = yield* encode(rows.splice(0))
        leave()
        yield* group
      }
    } finally {
      leave()
    }
    file.finish()
    yield taken(writer)
  },
}

const NOTHING = Buffer.alloc(0)

/** The bytes written since the last call. */
function taken(writer: ByteWriter): Buffer {
  const bytes = Buffer.from(writer.getBytes())
  writer.index = 0
  return bytes
}

/** Joins the last row groups: the writer makes a separate group for each column. */
function joinColumns(file: ParquetWriter, count: number, rows: number): void {
  const parts = file.row_groups.splice(-count)
  const sum = (size: (part: RowGroup) => bigint | undefined) =>
    parts.reduce((total, part) => total + (size(part) ?? 0n), 0n)
  file.row_groups.push({
    columns: parts.flatMap(({ columns }) => columns),
    total_byte_size: sum(part => part.total_byte_size),
    num_rows: BigInt(rows),
    total_compressed_size: sum(part => part.total_compressed_size),
  })
  file.num_rows -= BigInt(rows) * BigInt(count - 1)
}

type RowGroup = ParquetWriter['row_groups'][number]

interface ParquetColumn {
  readonly name: string
  readonly elements: readonly SchemaElement[]
  /** Whether the file has the least and the greatest value, which are useless for random values. */
  readonly statistics: boolean
  read(record: StoredRecord): unknown
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const

const TIMESTAMP = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const

/** The storage of a value that is not null (Parquet format, logical types). */
function storageOf({
  kind,
  isInteger,
}: FlatColumn): [Omit<SchemaElement, 'name'>, (value: never) => unknown] {
  if (kind === 'number' && isInteger) return [{ type: 'INT64' }, (value: number) => BigInt(value)]
  if (kind === 'number') return [{ type: 'DOUBLE' }, value => value]
  if (kind === 'flag') return [{ type: 'BOOLEAN' }, value => value]
  if (kind === 'date')
    return [
      { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
      (text: string) => Date.parse(text) / DAY_MS,
    ]
  if (kind === 'timestamp') return [TIMESTAMP, (text: string) => BigInt(Date.parse(text))]
  return [TEXT, value => value]
}

function toParquet(column: FlatColumn): ParquetColumn {
  const { name, kind, isNullable } = column
  const repetition_type = isNullable ? 'OPTIONAL' : 'REQUIRED'
  if (kind === 'list')
    return {
      name,
      elements: [
        { name, repetition_type, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', repetition_type: 'REQUIRED', ...TEXT },
      ],
      statistics: true,
      read: column.read,
    }
  const [storage, encode] = storageOf(column)
  return {
    name,
    elements: [{ name, repetition_type, ...storage }],
    statistics: kind !== 'digest',
    read(record) {
      const value = column.read(record)
      return value === null || value === undefined ? null : encode(value as never)
    },
  }
}
