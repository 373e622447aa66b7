import { parse } from 'csv-parse/sync'
import { type Config, readText } from '../config.ts'
import { ConfigFileError } from '../config-file.ts'
import { DATASETS } from '../datasets/index.ts'
import { coercerOf } from '../releases/import/coerce/coerce.ts'
import type { Correction } from '../releases/import/corrections.ts'
import { derivedFields, fieldSchemas, Rejection } from '../releases/import/importable.ts'
import { isDate } from '../values/dates.ts'
import { messageOf } from '../values/system/error-code.ts'
import { cut, suggestion } from '../values/text.ts'

const COLUMNS = ['dataset', 'id', 'field', 'value', 'until', 'why']
const CORRECTABLE = DATASETS.filter(({ identity }) => identity.kind !== 'fingerprint')
const LONGEST_REASON = 500
/** One corrected number beside one of the list's is a place that nobody has stated. */
const OTHER_HALF: Readonly<Record<string, string>> = { latitude: 'longitude', longitude: 'latitude' }

/** A row as the parser gives it with `info`. */
interface InfoRow {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

type Row = Readonly<Record<string, string>>

/** The corrections of all datasets, by dataset. */
export type Corrections = ReadonlyMap<string, readonly Correction[]>

/** Reads the file that CORRECTIONS names; no corrections without it. Throws {@link ConfigFileError} with the first mistake. */
export function readCorrections({ CORRECTIONS: path }: Partial<Pick<Config, 'CORRECTIONS'>>): Corrections {
  const byDataset = new Map<string, Correction[]>()
  if (path === undefined) return byDataset
  const refuse = (place: string, reason: string) => new ConfigFileError('CORRECTIONS', path, place, reason)
  for (const [line, row] of readRows(path, refuse)) {
    const wrong = (column: string, allowed: string, hint = '') =>
      refuse(`line ${line}`, `${column} is "${cut(row[column] ?? '', 80)}"${hint}; allowed: ${allowed}`)
    const { dataset: name = '', id = '', field = '', until = '', why = '' } = row
    const dataset = CORRECTABLE.find(each => each.name === name)
    if (dataset === undefined) throw wrong('dataset', CORRECTABLE.map(each => each.name).join(', '))
    const correction = { id, field, value: coercedValue(dataset, row, wrong), until: until || null, why }
    if (id === '') throw wrong('id', 'the id of a record')
    if (until !== '' && !isDate(until)) throw wrong('until', 'a date such as 2027-01-31, or nothing')
    if (why === '' || why.length > LONGEST_REASON)
      throw wrong('why', `a reason of at most ${LONGEST_REASON} characters, which is published`)
    const others = byDataset.get(name) ?? []
    if (others.some(other => other.id === id && other.field === field))
      throw refuse(`line ${line}`, `${field} of ${id} has a correction already; allowed: one`)
    byDataset.set(name, [...others, correction])
  }
  for (const corrections of byDataset.values())
    for (const { id, field, until } of corrections) {
      const half = OTHER_HALF[field]
      if (half && !corrections.some(one => one.id === id && one.field === half && one.until === until))
        throw refuse('', `${field} of ${id} needs a line for ${half} with the same day in until`)
    }
  return byDataset
}

function readRows(
  path: string,
  refuse: (place: string, reason: string) => Error,
): [line: number, row: Row][] {
  const content = readText('CORRECTIONS', path, 'a CSV file that is there')
  try {
    const options = { bom: true, trim: true, info: true, skip_empty_lines: true } as const
    const rows = parse(content, options) as unknown as InfoRow[]
    const [header, ...others] = rows
    if (header?.record.join() !== COLUMNS.join()) throw new TypeError(`its header must be ${COLUMNS.join()}`)
    return others.map(({ record, info }) => [
      info.lines,
      Object.fromEntries(COLUMNS.map((column, at) => [column, record[at] ?? ''])),
    ])
  } catch (error) {
    throw refuse('', messageOf(error))
  }
}

/** The value of a correction, coerced as the source's. */
function coercedValue(
  dataset: (typeof CORRECTABLE)[number],
  { field = '', value }: Row,
  wrong: (column: string, allowed: string, hint?: string) => Error,
): unknown {
  const fixed = derivedFields(dataset)
  const fields = fieldSchemas(dataset.record).filter(([name]) => name !== 'id' && !fixed.has(name))
  const names = fields.map(([name]) => name)
  const [, schema] = fields.find(([name]) => name === field) ?? []
  if (schema === undefined)
    throw wrong(
      'field',
      names.join(', '),
      suggestion(field, names, meant => ` (did you mean "${meant}"?)`),
    )
  try {
    return coercerOf(schema, field)(value, field, (_field, _value, reason) => {
      throw new Rejection(field, value, reason)
    })
  } catch (error) {
    if (error instanceof Rejection) throw wrong('value', `a value of ${field}, which ${error.message}`)
    throw error
  }
}
