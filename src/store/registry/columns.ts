import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import Format from 'typebox/format'
import { escapeText, unescapeText } from '../encoding/content.ts'

const whole = (minimum: number, maximum = 2 ** 31 - 1) =>
  Type.Integer({ minimum, maximum, description: `a whole number from ${minimum} to ${maximum}` })

const orNull = <S extends TSchema & { description?: string }>(schema: S) =>
  Type.Union([schema, Type.Null()], {
    description: `null, or ${schema.description}`,
  })

/** A text that passes `fits`. */
function textOf(format: string, fits: (text: string) => boolean, description: string, maxLength = 2000) {
  Format.Set(format, text => {
    try {
      return fits(text)
    } catch {
      return false
    }
  })
  return Type.String({ format, maxLength, description: `${description}, of ${maxLength} characters at most` })
}

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 lower-case hexadecimal digits' })

/** The form of a time as `toISOString` writes it. */
export const TIME_PATTERN = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d\\.\\d{3}Z$'

/** A time as `toISOString` writes it. */
export const Time = Type.String({
  pattern: TIME_PATTERN,
  format: 'date-time',
  description: 'a time such as 2026-03-01T10:00:00.000Z',
})

/** A text as `escapeText` writes it. */
const Stored = textOf('pds-stored', text => escapeText(unescapeText(text)) === text, 'a stored text')

const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,99}$', description: 'the name of a dataset' })

const Source = textOf(
  'pds-source',
  text => text.isWellFormed() && !/\p{Cc}/u.test(text),
  'a text without control characters',
  10_000,
)

/** JSON as `JSON.stringify` writes it, with the shape of the schema. */
function jsonOf(name: string, schema: TSchema) {
  const shape = Compile(schema)
  const fits = (text: string) => {
    const value: unknown = JSON.parse(text)
    return isShallow(value) && shape.Check(value) && JSON.stringify(value) === text
  }
  return textOf(`pds-json-${name}`, fits, `JSON of ${name}`, 500_000)
}

const isShallow = (value: unknown, levels = 20): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every(member => isShallow(member, levels - 1)))

const closed = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

const text = Type.String()

/** A member that may be undefined, which JSON leaves out. */
const optional = <S extends TSchema>(schema: S) => Type.Optional(Type.Unsafe<Static<S> | undefined>(schema))

/** Remarks for the operator, each a sentence, and whether a person should look at the source. */
const notes = { notes: optional(Type.Array(text)), needsPerson: optional(Type.Boolean()) }

/** How many attempts of a day succeeded, and how many failed or were refused. */
const DayOfChecks = closed({ date: text, succeeded: whole(0), failed: whole(0) })

/** The state of one followed source; a dataset has one source. Times are ISO 8601 UTC. */
const State = closed({
  dataset: Name,
  /** Identifies the source's configuration. State from another configuration is ignored. */
  configuration: text,
  triedAt: Time,
  /** The result of the last attempt. */
  outcome: Type.Enum(['published', 'not changed', 'refused', 'failed']),
  /** Why it was refused or failed, for the operator; null otherwise. */
  reason: orNull(text),
  /** When the source last gave the published records; null before the first time. */
  succeededAt: orNull(Time),
  /** When the source last led to a release, and the release's number. */
  changed: orNull(closed({ ...notes, at: Time, release: whole(1) })),
  /** When an import last refused the source, why, and the hash of its records if all could be read. */
  refused: orNull(closed({ ...notes, at: Time, reason: text, hash: optional(orNull(text)) })),
  /** The report of the last import that published or refused the source, shortened. Absent before the first. */
  report: optional(Type.Object({})),
  /** The attempts of each day (UTC) in the month before the last one, oldest first. Absent in older states. */
  days: optional(Type.Array(DayOfChecks)),
  /** The number of failed attempts in a row; `failingSince` is the time of the first. */
  failures: whole(0),
  failingSince: orNull(Time),
  dueAt: Time,
  /** The validators of the last good response (RFC 9110 8.8). */
  validators: closed({ etag: optional(text), lastModified: optional(text) }),
  /** The hash of the source's last records; null before the first. */
  hash: orNull(text),
})

/** A record with a source position off the island. It is published with its last good position, or without a position. */
const HeldBack = closed({
  id: text,
  name: text,
  /** The source's position, its fault, and the published position. */
  reason: text,
})

/** A field whose value the operator stated in place of the source's. */
const Corrected = closed({
  id: text,
  name: text,
  field: text,
  /** The last day of the correction; null: until it is removed. */
  until: orNull(text),
  why: text,
})

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T

export type SourceState = Frozen<Static<typeof State>>
export type Corrected = Frozen<Static<typeof Corrected>>
export type HeldBack = Frozen<Static<typeof HeldBack>>

/** What the journal says. `nothing new`: the source has the records of the current release. */
const EVENTS = ['published', 'accepted', 'refused', 'nothing new', 'rolled back', 'restored'] as const

/** The data of a notification: texts, numbers and lists of texts. */
const Told = Type.Record(text, Type.Union([text, Type.Number(), Type.Null(), Type.Array(text)]))

/** A time in milliseconds since 1970 that fits into packed readings: until the year 3084. */
const Moment = whole(-(2 ** 45), 2 ** 45)
const Spaces = whole(0, 100_000)

/**
 * The tables of the registry that mean the same in every store, sorted by name; `schema.ts` creates them. The types of rows follow
 * from these schemas. A backup with any other value is refused, and the description names the allowed values. A table begins with its key.
 */
export const COLUMNS = {
  datasets: {
    name: Name,
    last_number: whole(1),
    current_number: orNull(whole(1)),
    current_since: orNull(Time),
  },
  first_seen: { dataset: Name, id: Stored, seen: Time },
  incidents: {
    key: Stored,
    type: Type.String({ pattern: '^[a-z.-]{1,50}$', description: 'the type of a notification' }),
    data: jsonOf('an incident', Told),
  },
  journal: {
    dataset: Name,
    /** Counts up from 1 within the dataset. */
    number: whole(1),
    event: Type.Enum([...EVENTS], { description: `one of ${EVENTS.join(', ')}` }),
    /** When it happened first and last, and how often. */
    at: Time,
    last: Time,
    times: whole(1),
    /** The command with its user and machine, or the schedule. */
    actor: Source,
    /** The release that became or stayed current; null if the source led to none. */
    release: orNull(whole(1)),
    source: Source,
    /** The hash of the records; null if they could not all be read. */
    hash: orNull(Hash),
    /** Why it was refused, or which checks were accepted. */
    detail: orNull(Source),
    report: orNull(jsonOf('a report', Type.Object({}))),
    /** The counts of the release's records by field; null if unknown. */
    counts: orNull(jsonOf('counts', Type.Object({}))),
  },
  observations: { at: Moment },
  reading_batches: {
    number: whole(1),
    imported_at: Time,
    source: { ...Stored, maxLength: 20_000 },
    first_at: Moment,
    last_at: Moment,
    skipped: whole(0),
  },
  reading_hours: {
    name_id: whole(1),
    hour: whole(-(10 ** 7), 10 ** 7),
    min: Spaces,
    max: Spaces,
    sum: whole(0, Number.MAX_SAFE_INTEGER),
    count: whole(1),
    first_at: Moment,
    last_at: Moment,
    // Negative before 1970, where the packed number is negative.
    last: whole(-131_072, 100_000),
  },
  reading_names: { id: whole(1), code: Stored, name: Stored },
  reading_statuses: { id: whole(1), status: Stored },
  readings: {
    at: Moment,
    name_id: whole(1),
    ordinal: whole(0),
    spaces: Spaces,
    status_id: orNull(whole(1)),
    open: orNull(whole(0, 1)),
    /** The import that added the reading; null for the feed's own. */
    batch: orNull(whole(1)),
  },
  /** Without the columns that only one engine understands. */
  releases: {
    dataset: Name,
    number: whole(1),
    hash: Hash,
    rows: whole(0),
    published_at: Time,
    source: Source,
    synthetic: whole(0, 1),
    added: whole(0),
    changed: whole(0),
    removed: whole(0),
    /** The positions held back and the corrected fields, which are not those of the source, as JSON; null for none. */
    held_back: orNull(
      jsonOf('positions held back', Type.Array(Type.Union([HeldBack, Corrected]), { minItems: 1 })),
    ),
  },
  sources: { dataset: Name, state: jsonOf("a source's state", State) },
}

type JournalRow = Static<TObject<typeof COLUMNS.journal>>

/** An entry of the journal, without its long texts. Times are ISO 8601 UTC. */
export type JournalEntry = Frozen<Omit<JournalRow, 'report' | 'counts'>>

export type TableName = keyof typeof COLUMNS

export const TABLE_NAMES = Object.keys(COLUMNS) as TableName[]

export const columnsOf = (table: TableName): string[] => Object.keys(COLUMNS[table])

/** Tables whose keys have two columns. */
const PAIRED: readonly TableName[] = ['first_seen', 'journal', 'reading_hours', 'readings', 'releases']

/** The columns of a table's key. A backup has the rows in the order of this key. */
export const keyOf = (table: TableName): string[] => columnsOf(table).slice(0, PAIRED.includes(table) ? 2 : 1)
