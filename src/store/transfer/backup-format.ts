import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { StoredRecord } from '../../query/query.ts'
import type { Measures } from '../encoding/content.ts'
import { Time } from '../registry/columns.ts'
import type { ReleaseColumns } from '../registry/tables.ts'
import type { StoredDataset } from '../store.ts'

/**
 * A backup file is gzipped NDJSON. The first line is the header. Then comes each release: a line with its entry, lines of
 * records, and an end line. Then comes each table: a line with its columns, and lines of rows. The last line has the SHA-256
 * of all previous lines.
 */
export const FORMAT = 'pds-backup'
/** Raised when older versions of the service cannot read new files. */
export const FORMAT_VERSION = 1
/** Bytes of the longest line, its line feed included. */
export const LONGEST_LINE = 1 << 20
/** Characters of the reason why a release lacks records. */
export const LONGEST_REASON = 10_000

const Header = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Integer(),
  /** The version of the service that wrote it. */
  service: Type.String({ pattern: '^[0-9A-Za-z.+-]{1,50}$' }),
  /** The engine that held the data, and the version of its schema. */
  engine: Type.String({ pattern: '^[a-z]{1,20}$' }),
  schema: Type.Integer({ minimum: 0 }),
  /** The time of the content. */
  at: Time,
})

export type Header = Readonly<Static<typeof Header>>

/** A release's row in the registry, and the digest of its records. The tables' own schema checks the row. */
const Release = Type.Object({
  release: Type.Record(Type.String(), Type.Unknown()),
  digest: Type.Union([Type.String({ pattern: '^[0-9a-f]{32}$' }), Type.Null()]),
})

/** Ends a release; `damaged` says why it lacks records. */
const End = Type.Object({
  end: Type.Object({ damaged: Type.Union([Type.String({ maxLength: LONGEST_REASON }), Type.Null()]) }),
})

const Table = Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) })

const Last = Type.Object({ sha256: Type.String() })

export const isHeader = checkOf(Header)
export const isRelease = checkOf(Release)
export const isEnd = checkOf(End)
export const isTable = checkOf(Table)
export const isLast = checkOf(Last)
/** A list of records. */
export const isRecords = checkOf(Type.Array(Type.Unsafe<StoredRecord>(Type.Object({})), { minItems: 1 }))
/** A list of rows, each a list of cells in the order of the columns. */
export const isRows = checkOf(Type.Array(Type.Array(Type.Unknown()), { minItems: 1 }))

function checkOf<S extends TSchema>(schema: S) {
  const check = Compile(schema)
  return (value: unknown): value is Static<S> => check.Check(value)
}

/** Throws the error of `differ`, with the difference, unless the records are exactly those of the release. */
export function requireSame(
  row: ReleaseColumns,
  digest: string | null,
  { layout }: StoredDataset,
  found: Measures,
  differ: (what: string) => Error,
): void {
  if (found.rows !== row.rows) throw differ(`it has ${found.rows} records and was published with ${row.rows}`)
  // The hash depends on source order, but a table is stored in another order.
  const isSame = layout.kind === 'documents' ? found.hash === row.hash : found.digest === digest
  if (!isSame) throw differ('its records are not those that were published')
}
