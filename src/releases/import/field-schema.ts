import type { TObject } from 'typebox'
import type { CALENDAR_DATE, CODE, KNOWN_VALUES } from '../../query/fields.ts'
import type { Importable } from './importable.ts'

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

/** Coerces a source's value to a field's, or throws a `Rejection`. Idempotent. */
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

/** Whether a source may leave the field blank. */
export const mayBeBlank = (schema: FieldSchema): boolean =>
  'default' in schema || ['null', 'array', 'boolean'].some(type => hasType(schema, type))

/** Fields that every source must have: not derived, and without a default for blank values. */
export function requiredFields(dataset: Pick<Importable, 'identity' | 'record'>): string[] {
  const derived = derivedFields(dataset)
  return fieldSchemas(dataset.record)
    .filter(([name, schema]) => !derived.has(name) && !mayBeBlank(schema))
    .map(([name]) => name)
}
