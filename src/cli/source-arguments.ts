import { InvalidArgumentError, Option } from 'commander'
import type { TObject } from 'typebox'
import type { ImportOptions } from '../releases/import/import.ts'
import { type ColumnMap, mappableFields } from '../sources/columns.ts'
import { readAddress } from '../sources/fetch/source-address.ts'
import { SourceOptions } from '../sources/source-options.ts'
import { shownAddress } from '../values/addresses/shown-address.ts'
import { suggestion } from '../values/text.ts'
import { UsageError } from './cli.ts'

/** The options of a command for reading its source. */
export interface SourceArguments extends SourceOptions {
  readonly map?: ReadonlyMap<string, string>
  readonly ignore?: readonly string[]
  readonly allowPrivate?: true
}

const { delimiter, listSeparator, encoding, sheet } = SourceOptions.properties

/** The options of {@link SourceArguments}. */
export const SOURCE_OPTIONS: readonly Option[] = [
  new Option('--map <"HEADER=field">', 'read a field from this column; can be repeated').argParser(
    addMapping,
  ),
  new Option('--ignore <HEADER>', 'leave out this column; can be repeated').argParser(
    (name: string, before: readonly string[] = []) => [...before, name],
  ),
  readingOption('--delimiter <character>', delimiter),
  readingOption('--list-separator <character>', listSeparator),
  readingOption('--encoding <name>', encoding),
  readingOption('--sheet <name>', sheet),
  new Option('--allow-private', 'allow addresses of this machine and of private networks'),
]

/** An option with the description and the values of its schema. */
function readingOption(flags: string, schema: object): Option {
  const { description, enum: values }: { description?: string; enum?: string[] } = schema
  const option = new Option(flags, description)
  return values === undefined ? option : option.choices(values)
}

/** Adds one `HEADER=field` to `before`. The header may contain `=`, a field never does. */
export function addMapping(
  text: string,
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const at = text.lastIndexOf('=')
  const header = text.slice(0, at).trim()
  const field = text.slice(at + 1).trim()
  if (at < 1 || header === '' || field === '') throw new InvalidArgumentError('Allowed: "HEADER=field".')
  if (before.has(header)) throw new InvalidArgumentError(`"${header}" is mapped twice.`)
  return new Map(before).set(header, field)
}

/**
 * Returns a function that opens the source named by the arguments: a file, standard input, or an address, shown without its
 * secrets. Throws {@link UsageError} for an address that cannot be fetched, and for options that do not fit.
 */
export function namedSource(
  text: string,
  options: SourceArguments,
  record: TObject,
): (signal: AbortSignal) => Pick<ImportOptions, 'source' | 'input' | 'reading' | 'map'> {
  const { allowPrivate } = options
  const isWebAddress = /^https?:\/\//i.test(text) && URL.canParse(text)
  if (text.includes('://') && !isWebAddress)
    throw new UsageError(
      `${shownAddress(text)} cannot be fetched: name a file, or an address with http:// or https://`,
    )
  if (allowPrivate && !isWebAddress) throw new UsageError('--allow-private is for addresses alone')
  const given = { reading: options, map: columnMap(options, record) }
  return signal =>
    isWebAddress
      ? { source: shownAddress(text), input: readAddress(text, { allowPrivate, signal }), ...given }
      : { source: text, ...given }
}

/** Fields by columns from the options, or undefined. Throws {@link UsageError} for an unknown field. */
export function columnMap(
  { map = new Map(), ignore = [] }: Pick<SourceArguments, 'map' | 'ignore'>,
  record: TObject,
): ColumnMap | undefined {
  const fields = mappableFields(record)
  for (const field of map.values()) {
    if (fields.includes(field)) continue
    const hint = suggestion(field, fields, meant => `did you mean ${meant}? `)
    throw new UsageError(`--map names the unknown field "${field}": ${hint}Fields: ${fields.join(', ')}`)
  }
  const both = ignore.find(name => map.has(name))
  if (both !== undefined) throw new UsageError(`"${both}" is named by --map and by --ignore; keep one`)
  const all = [...map, ...ignore.map((name): [string, null] => [name, null])]
  return all.length === 0 ? undefined : Object.fromEntries<string | null>(all)
}
