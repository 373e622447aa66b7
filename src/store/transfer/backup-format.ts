import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'

/**
 * A backup file is gzipped NDJSON. The first line is the header. Each release follows as a line with its entry, lines of
 * records, and a line that ends it; then each table as a line with its columns, and lines of rows. The last line has the
 * SHA-256 of all lines before it.
 */
export const FORMAT = 'pds-backup'
/** Raised where an older version of the service could not read a file any more. */
export const FORMAT_VERSION = 1

/** A cell of the registry, in which no column holds bytes. */
const Cell = Type.Union([Type.String(), Type.Number(), Type.Null()])

const Header = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Integer(),
  /** The version of the service that wrote it. */
  service: Type.String(),
  engine: Type.String(),
  schema: Type.Integer(),
  at: Type.String(),
})

const Release = Type.Object({
  release: Type.Intersect([
    Type.Record(Type.String(), Cell),
    Type.Object({
      dataset: Type.String(),
      number: Type.Integer(),
      hash: Type.String(),
      rows: Type.Integer(),
    }),
  ]),
  digest: Type.Union([Type.String(), Type.Null()]),
})

/** Ends a release; `damaged` says why it lacks records. */
const End = Type.Object({ end: Type.Object({ damaged: Type.Union([Type.String(), Type.Null()]) }) })

const Table = Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) })

const Last = Type.Object({ sha256: Type.String() })

export const isHeader = checkOf(Header)
export const isRelease = checkOf(Release)
export const isEnd = checkOf(End)
export const isTable = checkOf(Table)
export const isLast = checkOf(Last)
/** A list of records. */
export const isRecords = checkOf(Type.Array(Type.Record(Type.String(), Type.Unknown())))
/** A list of rows, each a list of cells in the order of the columns. */
export const isRows = checkOf(Type.Array(Type.Array(Cell)))

export type PlainCell = Static<typeof Cell>
/** The row of a release in the registry, except for what belongs to an engine; later versions may have more columns. */
export type ReleaseColumns = Readonly<Static<typeof Release>['release']>

export type MarkerLine =
  | Static<typeof Header>
  | Static<typeof Release>
  | Static<typeof End>
  | Static<typeof Table>
  | Static<typeof Last>

function checkOf<S extends TSchema>(schema: S) {
  const check = Compile(schema)
  return (value: unknown): value is Static<S> => check.Check(value)
}
