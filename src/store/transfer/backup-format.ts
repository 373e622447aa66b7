import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type ReleaseColumns, Time } from './registry-schemas.ts'

/**
 * A backup file is gzipped NDJSON. The first line is the header. Each release follows as a line with its entry, lines of
 * records, and a line that ends it; then each table as a line with its columns, and lines of rows. The last line has the
 * SHA-256 of all lines before it.
 */
export const FORMAT = 'pds-backup'
/** Raised where an older version of the service could not read a file any more. */
export const FORMAT_VERSION = 1

const Header = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Integer(),
  /** The version of the service that wrote it. */
  service: Type.String({ pattern: '^[0-9A-Za-z.+-]{1,50}$' }),
  engine: Type.String({ pattern: '^[a-z]{1,20}$' }),
  schema: Type.Integer({ minimum: 0 }),
  at: Time,
})

/** The row of a release in the registry, which the tables' own schema checks. */
const Release = Type.Object({
  release: Type.Record(Type.String(), Type.Unknown()),
  digest: Type.Union([Type.String({ pattern: '^[0-9a-f]{32}$' }), Type.Null()]),
})

/** Characters of the reason for which a release lacks records. */
export const LONGEST_REASON = 10_000

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
export const isRecords = checkOf(Type.Array(Type.Record(Type.String(), Type.Unknown()), { minItems: 1 }))
/** A list of rows, each a list of cells in the order of the columns. */
export const isRows = checkOf(Type.Array(Type.Array(Type.Unknown()), { minItems: 1 }))

/** A cell of the registry, in which no column holds bytes. */
export type PlainCell = string | number | null
export type { ReleaseColumns }

export type MarkerLine =
  | Static<typeof Header>
  | { readonly release: ReleaseColumns; readonly digest: string | null }
  | Static<typeof End>
  | Static<typeof Table>
  | Static<typeof Last>

function checkOf<S extends TSchema>(schema: S) {
  const check = Compile(schema)
  return (value: unknown): value is Static<S> => check.Check(value)
}
