import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { StoredRecord } from '../../query/query.ts'
import type { SourceOptions } from '../../sources/source-options.ts'
import type { SourceRow } from '../../sources/source-row.ts'
import { createCache } from '../../values/memoise.ts'
import { faultOfPosition } from './checks/held-positions.ts'
import { recordCoercer } from './coerce/coerce.ts'
import { createListSeparators } from './coerce/list-separators.ts'
import { type FieldSchema, fieldSchemas, type Warn } from './field-schema.ts'
import { createIdentify } from './identity.ts'
import { type Importable, Rejection } from './importable.ts'
import type { RowIssue } from './issue-groups.ts'
import { issueOf } from './report.ts'

/** A record to be added to a release. */
export interface Candidate {
  readonly row: SourceRow
  readonly key: string
  /** Complete but for `createdAt`, which may still be undefined. */
  readonly record: Record<string, unknown>
  /** Reported if the record is accepted. */
  readonly warnings: readonly RowIssue[]
}

/** Converts the rows of a source to candidates of a dataset. */
export interface Candidates {
  /** Looks at a batch of rows before any of them is converted. Throws `Refusal` where they contradict those before. */
  lookAhead(rows: readonly SourceRow[]): void
  /** Throws {@link Rejection} for an invalid row. */
  toCandidate(row: SourceRow): Candidate
}

/** Creates the conversion of a source's rows; without a list separator, the rows themselves tell it. */
export function createCandidates(
  dataset: Importable,
  listSeparator?: SourceOptions['listSeparator'],
): Candidates {
  const { weigh, separatorOf } = createListSeparators(dataset, listSeparator)
  const coerce = recordCoercer(dataset, separatorOf)
  const transform = dataset.transform ?? ((record: StoredRecord) => record)
  const identify = createIdentify(dataset)
  return {
    lookAhead: weigh,
    toCandidate(row) {
      const { fault } = row
      if (fault !== undefined) throw new Rejection(fault.column, fault.value, fault.reason)
      const warnings: RowIssue[] = []
      const warn: Warn = (field, value, reason) => warnings.push(issueOf(row, { field, value }, reason))
      const record = transform(coerce(row.values, warn))
      warnOfCoordinates(record, warn)
      const { key, id } = identify(record, warn)
      return { row, key, record: id === undefined ? record : { ...record, id }, warnings }
    },
  }
}

/**
 * Puts a record's fields in the schema's order and validates it against the whole schema, after coercion and the
 * dataset's own transformation. Throws {@link Rejection}.
 */
export function recordFinisher(dataset: Pick<Importable, 'record'>): (record: StoredRecord) => StoredRecord {
  const fields = fieldSchemas(dataset.record)
  const slow = fields.flatMap(([name, schema]) =>
    schema.format === undefined ? [] : [{ name, fits: cachedCheck(schema) }],
  )
  const fast = Compile(
    Type.Object(Object.fromEntries(fields.filter(([, { format }]) => format === undefined))),
  )
  const check = Compile(dataset.record)
  return record => {
    const names = Object.keys(record)
    const isInOrder = names.length === fields.length && fields.every(([name], at) => name === names[at])
    const finished = isInOrder ? record : Object.fromEntries(fields.map(([name]) => [name, record[name]]))
    const fits = fast.Check(finished) && slow.every(({ name, fits }) => fits(finished[name]))
    if (fits || check.Check(finished)) return finished
    const [first] = check.Errors(finished)
    const field = first?.instancePath.slice(1).replaceAll('/', '.') || null
    throw new Rejection(
      field,
      null,
      `does not match the schema of the dataset: ${first?.message ?? 'unknown'}`,
    )
  }
}

/** Validates a field with a format, which is slow, so valid texts are cached. */
function cachedCheck(schema: FieldSchema): (value: unknown) => boolean {
  const check = Compile(schema)
  const passed = createCache<string, true>({ maxEntries: 65_536, isAdaptive: true })
  return value => {
    if (typeof value !== 'string') return check.Check(value)
    if (passed.get(value)) return true
    const fits = check.Check(value)
    if (fits) passed.set(value, true)
    return fits
  }
}

/** Warns of coordinates off the island, which a first release publishes unchanged (design 7). Absent ones are no warning. */
export function warnOfCoordinates(record: StoredRecord, warn: Warn): void {
  const hasLatitude = typeof record.latitude === 'number'
  const hasLongitude = typeof record.longitude === 'number'
  if (hasLatitude && !hasLongitude) warn('longitude', null, 'is missing, but there is a latitude')
  if (hasLongitude && !hasLatitude) warn('latitude', null, 'is missing, but there is a longitude')
  const fault = faultOfPosition(record)
  if (fault !== undefined) warn(fault.field, fault.value, fault.reason)
}
