import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { StoredRecord } from '../../query/query.ts'
import type { SourceRow } from '../../sources/row.ts'
import type { Warn } from './coerce/coerce.ts'
import { recordConformer } from './coerce/record.ts'
import { noteCoordinates } from './coordinates.ts'
import { type FieldSchema, fieldsOf } from './field-schema.ts'
import { createIdentify } from './identity.ts'
import type { Importable } from './importable.ts'
import { Rejection } from './importable.ts'
import { createMemory } from './memory.ts'
import type { RowIssue } from './report.ts'
import { issueOf } from './statistics.ts'

/** A record on its way into a release. */
export interface Candidate {
  readonly row: SourceRow
  readonly key: string
  /** Whole but for `createdAt`, which may be undefined still. */
  readonly record: Record<string, unknown>
  /** To be told if the record is accepted. */
  readonly warnings: readonly RowIssue[]
}

/** Makes candidates of a dataset's rows, one after the other; throws {@link Rejection} for a row that makes none. */
export function createCandidates(dataset: Importable): (row: SourceRow) => Candidate {
  const conform = recordConformer(dataset)
  const refine = dataset.refine ?? ((record: StoredRecord) => record)
  const identify = createIdentify(dataset)
  return row => {
    const { fault } = row
    if (fault !== undefined) throw new Rejection(fault.column, fault.value, fault.reason)
    const warnings: RowIssue[] = []
    const warn: Warn = (field, value, reason) => warnings.push(issueOf(row, { field, value }, reason))
    const refined = refine(conform(row.values, warn))
    noteCoordinates(refined, warn)
    const { key, id } = identify(refined, warn)
    return { row, key, record: id === undefined ? refined : { ...refined, id }, warnings }
  }
}

/**
 * Gives a finished record its fields in the schema's order and checks it whole against the schema: the last line of
 * defence, behind reading and a dataset's own refining. Throws {@link Rejection}.
 */
export function recordFinisher(dataset: Pick<Importable, 'record'>): (record: StoredRecord) => StoredRecord {
  const fields = fieldsOf(dataset.record).map(([name, schema]) => ({ name, fits: fieldCheck(schema) }))
  const check = Compile(dataset.record)
  return record => {
    const finished: Record<string, unknown> = {}
    let allFit = true
    for (const { name, fits } of fields) {
      const value = record[name]
      finished[name] = value
      allFit &&= fits(value)
    }
    if (allFit || check.Check(finished)) return finished
    const [first] = check.Errors(finished)
    const field = first?.instancePath.slice(1).replaceAll('/', '.') || null
    throw new Rejection(
      field,
      null,
      `is not as the schema of the dataset has it: ${first?.message ?? 'unknown'}`,
    )
  }
}

/** Checks a field by itself. Texts of a format are slow to check, and known ones are not checked again. */
function fieldCheck(schema: FieldSchema): (value: unknown) => boolean {
  const check = Compile(schema as TSchema)
  if (schema.format === undefined) return value => check.Check(value)
  const memory = createMemory<true>()
  return value => {
    if (typeof value !== 'string') return check.Check(value)
    if (memory.of(value)) return true
    const fits = check.Check(value)
    if (fits) memory.keep(value, true)
    return fits
  }
}
