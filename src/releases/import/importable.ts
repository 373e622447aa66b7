import type { TObject } from 'typebox'
import { StacklessError } from '../../errors.ts'
import type { CALENDAR_DATE, CODE, KNOWN_VALUES } from '../../query/fields.ts'
import type { Layout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'

/** The part of a dataset's declaration that an import needs. */
export interface Importable {
  readonly name: string
  /** The record's schema, fields in storage order. Sources are coerced and validated by it. */
  readonly record: TObject
  /** The field with the date of a record, if the dataset covers a period. */
  readonly datedBy?: string
  /** The fields, and `year` of that date, whose counts a release leaves behind when its records are gone. */
  readonly keptCounts?: readonly string[]
  readonly layout: Layout
  readonly identity: Identity
  /**
   * Fields by alternative names of their columns in sources; null for known columns to ignore. Names are compared
   * without case, blanks and punctuation; a field's own name need not be listed.
   */
  readonly columnAliases: Readonly<Record<string, string | null>>
  /** The fields that the dataset is about, in addition to required fields: a source must not lack them unnoticed. */
  readonly essential?: readonly string[]
  /** The fields whose values name a record for people, its name first. */
  readonly knownBy: readonly string[]
  /** An import with more rejected rows is refused, unless the operator raises the limit. */
  readonly rejectLimit: RejectLimit
  /** Derives fields from others, or cleans them; throws {@link Rejection} to reject the row. */
  transform?(record: StoredRecord): StoredRecord
}

/** How a dataset's records are identified. */
export type Identity =
  /**
   * Field `id` is a UUID and `createdAt` a time. Without them in the source, the id comes from the natural key, and the
   * time is when the id was first seen.
   */
  | { readonly kind: 'uuid'; readonly naturalKey: (record: StoredRecord) => string }
  /** Field `id` is the publisher's own; every record must have it. */
  | { readonly kind: 'given' }
  /** Equal records may occur: a fingerprint of some fields identifies them, for comparing releases only. */
  | { readonly kind: 'fingerprint'; readonly field: string }

/** The most rejected rows, as a number or as a percentage of the rows read. */
export type RejectLimit = { readonly rows: number } | { readonly percent: number }

/** The keywords of a field's JSON Schema that determine how values are coerced. */
export interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly items?: FieldSchema
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly [KNOWN_VALUES]?: readonly string[]
  readonly [CALENDAR_DATE]?: true
  readonly [CODE]?: true
}

/** Coerces a source's value to the type of a field, or throws a {@link Rejection}. Idempotent. */
export type Coerce = (raw: unknown, field: string, warn: Warn) => unknown

/** Records a warning, which does not reject the record. */
export type Warn = (field: string | null, value: unknown, reason: string) => void

/** The fields of a record with their schemas, in storage order. */
export function fieldSchemas(record: TObject): [name: string, schema: FieldSchema][] {
  return Object.entries<FieldSchema>(record.properties)
}

/** Whether the schema allows this type. */
export function hasType(schema: FieldSchema, type: string): boolean {
  return schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type))
}

/** Fields that a source may omit because the import computes them. */
export function derivedFields({ identity }: Pick<Importable, 'identity'>): ReadonlySet<string> {
  if (identity.kind === 'uuid') return new Set(['id', 'createdAt'])
  return new Set(identity.kind === 'fingerprint' ? [identity.field] : [])
}

/** Returns the function that makes a field's value for a blank cell; undefined if the field must not be blank. */
export function blankOf(schema: FieldSchema): (() => unknown) | undefined {
  if (hasType(schema, 'null')) return () => null
  if ('default' in schema) return () => structuredClone(schema.default)
  if (hasType(schema, 'array')) return () => []
  return hasType(schema, 'boolean') ? () => false : undefined
}

/** Fields that every source must have: not derived, and without a default for blank values. */
export function requiredFields(dataset: Pick<Importable, 'identity' | 'record'>): string[] {
  const derived = derivedFields(dataset)
  return fieldSchemas(dataset.record)
    .filter(([name, schema]) => !derived.has(name) && blankOf(schema) === undefined)
    .map(([name]) => name)
}

/** Words that programs write for a missing value. */
export const NO_VALUE = /^(?:null|#?n\/a|none|-)$/i

/**
 * A row cannot be published: the field, its value in the source, and the fault. Members of a field follow dots
 * (`owner.id`); null stands for the whole row.
 */
export class Rejection extends StacklessError {
  override name = 'Rejection'
  readonly field: string | null
  readonly value: unknown
  /** Further faults of the same row. */
  others: readonly Rejection[] = []
  constructor(field: string | null, value: unknown, reason: string) {
    // Bad rows are expected, perhaps millions: capturing their stacks would take half the time of an import.
    super(reason)
    this.field = field
    this.value = value
  }
}

/** Runs one step of several, and adds its rejections to `found`. */
export function attempt<T>(found: Rejection[], step: () => T): T | undefined {
  try {
    return step()
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    found.push(error, ...error.others)
    return undefined
  }
}

/** Throws the rejections of one row, if any, as one rejection. */
export function throwTogether([first, ...others]: readonly Rejection[]): void {
  if (first === undefined) return
  first.others = others
  throw first
}
