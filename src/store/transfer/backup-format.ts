import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { StoredRecord } from '../../query/query.ts'
import type { Measures } from '../encoding/content.ts'
import { Time } from '../registry/columns.ts'
import type { ReleaseColumns } from '../registry/tables.ts'
import type { StoredDataset } from '../store.ts'

/**
 * A backup file is gzipped NDJSON. The first line is the header. Each release follows as a line with its entry, lines of
 * records, and a line that ends it; then each table as a line with its columns, and lines of rows. The last line has the
 * SHA-256 of all lines before it.
 */
export const FORMAT = 'pds-backup'
/** Raised where an older version of the service could not read a file any more. */
export const FORMAT_VERSION = 1
/** Bytes of the longest line, its line feed included. */
export const LONGEST_LINE = 1 << 20
/** Characters of the reason for which a release lacks records. */
export const LONGEST_REASON = 10_000

const Header = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Integer(),
  /** The version of the service that wrote it. */
  service: Type.String({ pattern: '^[0-9A-Za-z.+-]{1,50}$' }),
  /** The engine that the data was in, and the version of its schema there. */
  engine: Type.String({ pattern: '^[a-z]{1,20}$' }),
  schema: Type.Integer({ minimum: 0 }),
  /** The moment of which the content is. */
  at: Time,
})

export type Header = Readonly<Static<typeof Header>>

/** The row of a release in the registry, which the tables' own schema checks, and the digest of its records. */
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

/** Throws the error of `differ`, with what is wrong, unless records are all those of a release. */
export function requireSame(
  row: ReleaseColumns,
  digest: string | null,
  { layout }: StoredDataset,
  found: Measures,
  differ: (what: string) => Error,
): void {
  if (found.rows !== row.rows) throw differ(`it has ${found.rows} records and was published with ${row.rows}`)
  // A table is stored in another order than the source's, over which the hash is.
  const isSame = layout.kind === 'documents' ? found.hash === row.hash : found.digest === digest
  if (!isSame) throw differ('its records are not those that were published')
}
