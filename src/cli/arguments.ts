import { InvalidArgumentError } from 'commander'
import type { TObject } from 'typebox'
import type { Dataset } from '../datasets/dataset.ts'
import { DATASETS } from '../datasets/index.ts'
import { ACCEPTABLE_CHECKS } from '../publishing/publish-checks.ts'
import { REJECTED_ROWS } from '../releases/import/checks/limits.ts'
import type { RejectLimit } from '../releases/import/importable.ts'
import { type ColumnMap, mappableFields } from '../sources/columns.ts'
import type { Release } from '../store/store.ts'
import { timeZone } from '../values/addresses/addresses.ts'
import { withoutSecrets } from '../values/addresses/shown-address.ts'
import { suggestion } from '../values/text.ts'
import { NotAllowed } from '../values/values.ts'
import { Refused, UsageError } from './cli.ts'

/** The dataset of that name. Throws {@link UsageError} with the nearest name and all names, including `others`. */
export function datasetNamed(name: string, others: readonly string[] = []): Dataset {
  const dataset = DATASETS.find(each => each.name === name)
  if (dataset !== undefined) return dataset
  const names = [...DATASETS.map(each => each.name), ...others]
  const hint = suggestion(name, names, meant => `did you mean ${meant}? `)
  throw new UsageError(`there is no dataset "${withoutSecrets(name)}": ${hint}Datasets: ${names.join(', ')}`)
}

/** Whether an argument is the number of a release. */
export const isReleaseNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)

/** Parses the number of a release. */
export function parseReleaseNumber(text: string): number {
  if (isReleaseNumber(text)) return Number(text)
  throw new InvalidArgumentError('Allowed: the number of a release, from 1.')
}

/** The current one of a dataset's releases. Throws {@link Refused} if there is none. */
export function currentRelease(dataset: string, kept: readonly Release[]): Release {
  const current = kept.find(({ currentSince }) => currentSince !== null)
  if (current !== undefined) return current
  throw new Refused(`${dataset} has no release: \`pds import ${dataset} <file>\` makes one`)
}

/** The kept release of that number. Throws {@link Refused} with all that are kept. */
export function releaseNumbered(dataset: string, kept: readonly Release[], number: number): Release {
  const release = kept.find(each => each.number === number)
  if (release !== undefined) return release
  throw new Refused(`no release ${number} of ${dataset} is kept; ${numbersOf(kept)}`)
}

/** The newest kept release older than the current one. Throws {@link Refused} if there is none. */
export function releaseBefore(
  dataset: string,
  kept: readonly Release[],
  current: Release | undefined,
): Release {
  const release = kept.find(({ number }) => number < (current?.number ?? Number.POSITIVE_INFINITY))
  if (release !== undefined) return release
  throw new Refused(
    `${dataset} has no release older than the current one, ${current?.number}; ${numbersOf(kept)}`,
  )
}

const numbersOf = (kept: readonly Release[]) => `kept: ${kept.map(({ number }) => number).join(', ')}`

/** Parses `12` as a number of rows and `1.5%` as a percentage of the rows read. */
export function parseRejectLimit(text: string): RejectLimit {
  const [, amount, sign] = /^(\d{1,9}(?:\.\d{1,6})?)(%?)$/.exec(text) ?? []
  const value = Number(amount)
  if (sign === '%' && value <= 100) return { percent: value }
  if (sign === '' && Number.isInteger(value)) return { rows: value }
  throw new InvalidArgumentError('Allowed: a whole number of rows such as 12, or a share such as 1.5%.')
}

/** Parses a year in which readings are possible. */
export function parseYear(text: string): number {
  if (/^(19[7-9]|20\d)\d$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Allowed: a year such as 2024.')
}

/** Parses the name of a time zone. */
export function parseTimeZone(text: string): string {
  const type = timeZone()
  try {
    return type.parse(text)
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error
    throw new InvalidArgumentError(`Allowed: ${type.allowed}.`)
  }
}

/** Adds one `HEADER=field` to those before. The header may contain `=`, a field never does. */
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

/** Adds the name of one check to those before; the message of another name has the nearest and all. */
export function addCheck(text: string, before: readonly string[] = []): readonly string[] {
  if (ACCEPTABLE_CHECKS.includes(text)) return [...before, text]
  if (text === REJECTED_ROWS)
    throw new InvalidArgumentError(`${REJECTED_ROWS} is not accepted by name: raise --reject-limit.`)
  const hint = suggestion(text, ACCEPTABLE_CHECKS, meant => `Did you mean ${meant}? `)
  throw new InvalidArgumentError(`${hint}Checks: ${ACCEPTABLE_CHECKS.join(', ')}.`)
}

/** Adds the name of one column to those before. */
export const addColumn = (name: string, before: readonly string[] = []) => [...before, name]

/** The options that assign columns. */
export interface ColumnOptions {
  readonly map?: ReadonlyMap<string, string>
  readonly ignore?: readonly string[]
}

/** Fields by columns as the options give them, as an option of an import. Throws {@link UsageError} for an unknown field. */
export function columnMap(
  { map = new Map(), ignore = [] }: ColumnOptions,
  record: TObject,
): { map?: ColumnMap } {
  const fields = mappableFields(record)
  for (const field of map.values()) {
    if (fields.includes(field)) continue
    const hint = suggestion(field, fields, meant => `did you mean ${meant}? `)
    throw new UsageError(`--map names the unknown field "${field}": ${hint}Fields: ${fields.join(', ')}`)
  }
  const both = ignore.find(name => map.has(name))
  if (both !== undefined) throw new UsageError(`"${both}" is named by --map and by --ignore; keep one`)
  const all = [...map, ...ignore.map((name): [string, null] => [name, null])]
  return all.length === 0 ? {} : { map: Object.fromEntries<string | null>(all) }
}
