import { Argument, InvalidArgumentError, Option } from 'commander'
import type { Dataset } from '../datasets/dataset.ts'
import { DATASETS } from '../datasets/index.ts'
import { ACCEPTABLE_CHECKS } from '../publishing/publish-checks.ts'
import { REJECTED_ROWS } from '../releases/import/checks/limits.ts'
import type { RejectLimit } from '../releases/import/importable.ts'
import type { Release, Store } from '../store/store.ts'
import { timeZone } from '../values/addresses/addresses.ts'
import { withoutSecrets } from '../values/addresses/shown-address.ts'
import { suggestion } from '../values/text.ts'
import { NotAllowed, type ValueType } from '../values/values.ts'
import { Refused, UsageError } from './cli.ts'

/** The dataset with this name. Throws {@link UsageError} with the nearest name and all names, including `others`. */
export function datasetNamed(name: string, others: readonly string[] = []): Dataset {
  const dataset = DATASETS.find(each => each.name === name)
  if (dataset !== undefined) return dataset
  const names = [...DATASETS.map(each => each.name), ...others]
  const hint = suggestion(name, names, meant => `did you mean ${meant}? `)
  throw new UsageError(`there is no dataset "${withoutSecrets(name)}": ${hint}Datasets: ${names.join(', ')}`)
}

/** The argument that names a dataset or one of `others`. Help and completions list the names; {@link datasetNamed} refuses others. */
export const datasetArgument = (
  flags: '<dataset>' | '[dataset]',
  description = 'name of the dataset',
  others: readonly string[] = [],
): Argument =>
  new Argument(flags, description)
    .choices([...DATASETS.map(({ name }) => name), ...others])
    .argParser(text => text)

/** The option `--accept`, which can be repeated. Help and completions list the checks. */
export const acceptOption = (description: string): Option =>
  new Option('--accept <check>', description).choices(ACCEPTABLE_CHECKS).argParser(addCheck)

/** Returns a function that parses a whole number of this pattern. */
const wholeNumber = (pattern: RegExp, allowed: string) => (text: string) => {
  if (pattern.test(text)) return Number(text)
  throw new InvalidArgumentError(`Allowed: ${allowed}.`)
}

const RELEASE_NUMBER = /^[1-9]\d{0,14}$/

/** Whether an argument is the number of a release. */
export const isReleaseNumber = (text: string): boolean => RELEASE_NUMBER.test(text)

export const parseReleaseNumber = wholeNumber(RELEASE_NUMBER, 'the number of a release, from 1')
export const parseEntryNumber = wholeNumber(/^[1-9]\d{0,8}$/, 'the number of an entry, from 1')
export const parseBatchNumber = wholeNumber(/^[1-9]\d{0,8}$/, 'the number of a batch, from 1')
/** Parses a year in which readings are possible. */
export const parseYear = wholeNumber(/^(19[7-9]|20\d)\d$/, 'a year such as 2024')

/** Finds the kept releases of a dataset for a command. Throws {@link Refused} for a release that is not kept. */
export async function keptReleases({ releases }: Store, dataset: string) {
  const kept = await releases.list(dataset)
  const current = kept.find(({ currentSince }) => currentSince !== null)
  const refuse = (reason: string) => {
    throw new Refused(`${reason}; kept: ${kept.map(({ number }) => number).join(', ')}`)
  }
  return {
    current,
    isEmpty: kept.length === 0,
    requireCurrent(): Release {
      if (current !== undefined) return current
      throw new Refused(`${dataset} has no release: \`pds import ${dataset} <file>\` makes one`)
    },
    numbered: (number: number): Release =>
      kept.find(each => each.number === number) ?? refuse(`no release ${number} of ${dataset} is kept`),
    /** The newest release older than the current one. */
    before: (): Release =>
      kept.find(({ number }) => number < (current?.number ?? Number.POSITIVE_INFINITY)) ??
      refuse(`${dataset} has no release older than the current one, ${current?.number}`),
  }
}

/** Parses `12` as a number of rows and `1.5%` as a percentage of the rows read. */
export function parseRejectLimit(text: string): RejectLimit {
  const [, amount, sign] = /^(\d{1,9}(?:\.\d{1,6})?)(%?)$/.exec(text) ?? []
  const value = Number(amount)
  if (sign === '%' && value <= 100) return { percent: value }
  if (sign === '' && Number.isInteger(value)) return { rows: value }
  throw new InvalidArgumentError('Allowed: a whole number of rows such as 12, or a share such as 1.5%.')
}

/** Parses a text as a value of this type. Throws the error that `refuse` returns for the allowed values. */
export function parseAs<T>(type: ValueType<T>, text: string, refuse: (allowed: string) => Error): T {
  try {
    return type.parse(text)
  } catch (error) {
    throw error instanceof NotAllowed ? refuse(type.allowed) : error
  }
}

/** Parses the name of a time zone. */
export const parseTimeZone = (text: string): string =>
  parseAs(timeZone(), text, allowed => new InvalidArgumentError(`Allowed: ${allowed}.`))

/** Adds the name of one check to `before`. The message for an unknown name has the nearest name and all names. */
export function addCheck(text: string, before: readonly string[] = []): readonly string[] {
  if (ACCEPTABLE_CHECKS.includes(text)) return [...before, text]
  if (text === REJECTED_ROWS)
    throw new InvalidArgumentError(`${REJECTED_ROWS} is not accepted by name: raise --reject-limit.`)
  const hint = suggestion(text, ACCEPTABLE_CHECKS, meant => `Did you mean ${meant}? `)
  throw new InvalidArgumentError(`${hint}Checks: ${ACCEPTABLE_CHECKS.join(', ')}.`)
}
