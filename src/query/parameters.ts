import Type from 'typebox'
import { calendarDate } from '../values/dates.ts'
import { fold } from '../values/text.ts'
import {
  flag,
  InvalidParameter,
  integer,
  listOf,
  NotAllowed,
  number,
  type OneOfOptions,
  oneOf,
  type Parameter,
  sha256,
  text,
  type ValueType,
} from '../values/values.ts'
import type { Field } from './fields.ts'
import type { EqualsFilter, Filter, SortKey } from './query.ts'
import { wordsOf } from './words.ts'

/**
 * Derives parameters from fields. A filter by a text or value has the field's name or the declared name. A range of numbers has
 * `minName` and `maxName`, a range of dates `nameFrom` and `nameTo`. `q` searches words, and `sort` orders.
 */
export function fieldParameters(fields: readonly Field[], options: FieldParametersOptions): FieldParameters {
  const searched = fields.filter(field => field.search)
  const derived = [
    ...fields.flatMap(field => parametersOf(field, options)),
    ...(searched.length > 0 ? [searchParameter(searched, options.noun)] : []),
  ]
  const sortable = fields.filter(field => field.sort)
  return {
    parameters: Object.assign(
      {},
      ...derived.map(({ parameters }) => parameters),
      sortable.length > 0 && { sort: sortParameter(sortable) },
    ),
    filters: values => derived.flatMap(each => each.filters(values)),
    sort: ({ sort = [] }) => sort as readonly SortKey[],
  }
}

function parametersOf(field: Field, options: FieldParametersOptions): FieldParameters[] {
  const { name, filter, several, parameter: parameterName = name } = field
  if (filter === undefined) return []
  if (filter === 'range') return [rangeParameters(field, options.noun)]
  const isContains = filter === 'contains'
  const parameter = isContains ? containsParameter(field, options) : equalsParameter(field, options)
  return [
    {
      parameters: { [parameterName]: parameter },
      filters({ [parameterName]: value }) {
        if (value === undefined) return []
        if (isContains) return [{ field: name, contains: String(value) }]
        if (several) return [{ field: name, equals: value as readonly string[] }]
        return [value].flat().map(equals => ({ field: name, equals: equals as EqualsFilter['equals'] }))
      },
    },
  ]
}

/** The rules of `fold`. */
const COMPARED =
  'Case, accents, invisible characters and blanks at the ends do not count, nor do dots directly after a letter or at the start unless a digit follows: `bmw` finds B.M.W., `id.3` ID.3, but `id3` does not. Each run of blanks and hyphens (-, U+2010, U+2011) is one blank.'

const containsParameter = ({ label }: Field, { noun }: FieldParametersOptions): Parameter => ({
  type: text({ maxLength: 100 }),
  description: `Only ${noun} whose ${label} contains this text. ${COMPARED} There are no wildcards.`,
})

const FREE_TEXT = text({ maxLength: 100 })

/** The parameter that selects records by a field's value. It accepts the field's enumeration, or any value of its kind. */
function equalsParameter(field: Field, options: FieldParametersOptions): Parameter {
  const { several, kind, label } = field
  const { noun } = options
  if (kind === 'number') return { type: number(field), description: `Only ${noun} with this ${label}.` }
  if (kind === 'digest') return { type: sha256(), description: `Only ${noun} with this ${label}.` }
  if (kind === 'flag') return { type: flag(), description: `Only ${noun} that are this: ${label}.` }
  const type = valueType(field, options)
  const rule = field.isOpen ? COMPARED : 'Case, accents and blanks at the ends do not count.'
  if (several)
    return {
      type: anyOf(type),
      description: `Only ${noun} with this ${label}, or with one of up to ${MAX_VALUES}, comma-separated. ${rule}`,
    }
  if (kind !== 'list') return { type, description: `Only ${noun} with this ${label}. ${rule}` }
  return {
    type: distinct(type, String),
    description: `Only ${noun} whose ${label} include this, or all of several, comma-separated; case does not matter.`,
  }
}

/** More than any enumeration has. */
const MAX_VALUES = 20

/** One value, or several with commas between them. A text that is a value with its commas is that value. */
function anyOf(item: ValueType<string>): ValueType<readonly string[]> {
  const list = distinct(item, value => value)
  return {
    get allowed() {
      return `${item.allowed}; or up to ${MAX_VALUES} of these, comma-separated`
    },
    get schema() {
      return Type.Union([item.schema, { ...list.schema, maxItems: MAX_VALUES }])
    },
    format: values => list.format([...values].sort()),
    parse(text) {
      const parts = text.split(',').map(part => part.trim())
      try {
        return [item.parse(text)]
      } catch (error) {
        if (parts.length === 1 || !(error instanceof NotAllowed)) throw error
      }
      if (parts.includes('')) throw new NotAllowed('has an empty value')
      if (parts.length > MAX_VALUES)
        throw new NotAllowed(`has ${parts.length} values; at most ${MAX_VALUES} are allowed`)
      return list.parse(text)
    },
  }
}

/** The type of the values of a text, or of a list's entries. */
function valueType(
  { name, values, isOpen, otherWords, synonyms }: Field,
  { heldValues }: FieldParametersOptions,
): ValueType<string> {
  if (values === undefined) return FREE_TEXT
  const options = { ignoreCase: true, otherWords, spellings: synonyms }
  return isOpen ? openEnumeration(values, () => heldValues(name), options) : oneOf(values, options)
}

/** Accepts the known values of an enumeration and the values in records at present, in any case; returns the value's spelling. */
function openEnumeration(
  known: readonly string[],
  held: () => readonly string[],
  options: OneOfOptions,
): ValueType<string> {
  let type = oneOf(known, options)
  let holding: readonly string[] = []
  function current() {
    const values = held()
    if (values !== holding) {
      // Lists each value once: several datasets may hold it, and publishers spell it in several ways.
      const spelled = new Set(known.map(fold))
      const isNew = (value: string) => !spelled.has(fold(value)) && spelled.add(fold(value))
      type = oneOf([...known, ...values.filter(isNew)], options)
      holding = values
    }
    return type
  }
  return {
    ...FREE_TEXT,
    get allowed() {
      return current().allowed
    },
    get schema() {
      return current().schema
    },
    parse: value => current().parse(FREE_TEXT.parse(value)),
  }
}

/** The parameters for the two ends of a range. Either may be left out. */
function rangeParameters(field: Field, noun: string): FieldParameters {
  const { name, label, kind } = field
  const whose = `Only ${noun} whose ${label} is`
  if (kind !== 'number') {
    const [from, to] = [`${name}From`, `${name}To`]
    const parameters = {
      [from]: { type: calendarDate(), description: `${whose} this date or later, such as 2024-01-31.` },
      [to]: { type: calendarDate(), description: `${whose} this date or earlier, such as 2024-12-31.` },
    }
    return { parameters, filters: values => dateRange(name, values, from, to) }
  }
  const capitalised = name.charAt(0).toUpperCase() + name.slice(1)
  const [least, most] = [`min${capitalised}`, `max${capitalised}`]
  const parameters = {
    [least]: { type: number(field), description: `${whose} at least this.` },
    [most]: { type: number(field), description: `${whose} at most this.` },
  }
  return {
    parameters,
    filters: values => range(name, values, [least, most], ['above', 'a number not above']),
  }
}

/** The filter on a date by the values of two parameters. Throws {@link InvalidParameter} if the first is after the second. */
export const dateRange = (field: string, values: ParameterValues, from: string, to: string): Filter[] =>
  range(field, values, [from, to], ['after', 'a date not after'])

function range(
  field: string,
  values: ParameterValues,
  [first, last]: readonly [string, string],
  [beyond, allowed]: readonly [string, string],
): Filter[] {
  const [from, to] = [endOf(values[first]), endOf(values[last])]
  if (from === undefined && to === undefined) return []
  if (from !== undefined && to !== undefined && from > to)
    throw new InvalidParameter({
      parameter: first,
      value: String(from),
      detail: `is ${beyond} ${last} ${to}`,
      allowed: `${allowed} ${last}`,
    })
  return [{ field, from, to }]
}

const endOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? value : undefined)

/** The parameter `sort`: names of fields, the most important first. */
function sortParameter(fields: readonly Field[]): Parameter<SortKey[]> {
  const key = oneOf(fields.flatMap(({ name }) => [name, `-${name}`]))
  return {
    type: distinct(
      {
        allowed: key.allowed,
        schema: key.schema,
        parse(text) {
          const name = key.parse(text)
          return name.startsWith('-')
            ? { field: name.slice(1), direction: 'descending' }
            : { field: name, direction: 'ascending' }
        },
        format: ({ field, direction }) => (direction === 'descending' ? `-${field}` : field),
      },
      ({ field }) => field,
    ),
    description:
      'Fields to sort by, comma-separated; "-" before a field sorts it in descending order. Nulls come last.',
  }
}

/** The parameter `fields`: names of the fields to show. */
export const fieldsParameter = (names: readonly string[]): Parameter<string[]> => ({
  type: distinct(oneOf(names), name => name),
  description: 'Only these fields of each entry, comma-separated.',
})

/** The parameter that adds to each entry which values are not those of the source. */
export const INCLUDE: Parameter<string[]> = {
  type: distinct(oneOf(['provenance']), name => name),
  description: '`provenance`: which values of each entry are corrected, held back or missing; JSON alone.',
}

/** A list of at least one value, without duplicates. */
export function distinct<T>(item: ValueType<T>, nameOf: (value: T) => string): ValueType<T[]> {
  const list = listOf(item)
  return {
    get allowed() {
      return list.allowed
    },
    format: list.format,
    get schema() {
      return Type.Array(item.schema, { minItems: 1 })
    },
    parse(text) {
      const values = list.parse(text)
      const names = values.map(nameOf)
      const repeated = names.find((name, index) => names.indexOf(name) !== index)
      if (repeated !== undefined) throw new NotAllowed(`names ${repeated} more than once`)
      if (values.length === 0) throw new NotAllowed(`must be ${list.allowed}`)
      return values
    },
  }
}

/** Parsed values of parameters by name; undefined for a parameter that was not sent. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** The query parameters derived from fields, and their values as filters. */
export interface FieldParameters {
  readonly parameters: Readonly<Record<string, Parameter>>
  /** Throws {@link InvalidParameter} if a range begins after its end. */
  filters(values: ParameterValues): Filter[]
  sort?(values: ParameterValues): readonly SortKey[]
}

interface FieldParametersOptions {
  /** The noun for the records in descriptions: "vehicles". */
  readonly noun: string
  /** The values of an open enumeration that the records hold at present. */
  readonly heldValues: (field: string) => readonly string[]
}

const MAX_LENGTH = 100
const MAX_WORDS = 10

/** The parameter `q`: words to find, each in any of the fields. */
const searchParameter = (fields: readonly Field[], noun: string): FieldParameters => ({
  parameters: {
    q: {
      type: words(),
      description: `Only ${noun} with each of these words, in any order, in the ${fields.map(({ label }) => label).join(' or the ')}. A word may be a part of a longer one; case, accents and punctuation do not matter. At most ${MAX_WORDS} words.`,
    },
  },
  filters: ({ q }) => (q === undefined ? [] : [{ words: String(q), fields: fields.map(({ name }) => name) }]),
})

/** At least one word. The value is the folded words, joined by blanks. */
function words(): ValueType<string> {
  const type = text({ maxLength: MAX_LENGTH })
  const allowed = `1 to ${MAX_WORDS} words of letters and digits, ${MAX_LENGTH} characters at most`
  return {
    ...type,
    allowed,
    parse(value) {
      const found = wordsOf(type.parse(value))
      if (found.length === 0) throw new NotAllowed('has no word of letters or digits')
      if (found.length > MAX_WORDS)
        throw new NotAllowed(`has ${found.length} words; ${MAX_WORDS} are allowed`)
      return found.join(' ')
    },
  }
}

/** With more keys, each group would have only one record. */
const MAX_KEYS = 3
const MAX_GROUPS = 1_000_000

/** The parameter `by`: names of the keys to count by; by default the first key. */
export function countByParameter(names: readonly string[]): Parameter<readonly string[]> {
  const most = Math.min(MAX_KEYS, names.length)
  const type = distinct(oneOf(names), name => name)
  return {
    type: {
      ...type,
      allowed: most > 1 ? `up to ${most} of ${names.join(', ')}, comma-separated` : type.allowed,
      schema: { ...type.schema, maxItems: most },
      parse(text) {
        const by = type.parse(text)
        if (by.length > most) throw new NotAllowed(`names ${by.length}; at most ${most} are allowed`)
        return by
      },
    },
    default: names.slice(0, 1),
    description: `What to count by, comma-separated: up to ${most} of ${names.join(', ')}.`,
  }
}

/** The names of measures: `share`, and four for each measured field, such as `weight.mean`. */
export const measureNames = (fields: readonly Field[]): string[] => [
  'share',
  ...fields.flatMap(({ name, measure }) => (measure ? MEASURED_BY.map(by => `${name}.${by}`) : [])),
]

const MEASURED_BY = ['sum', 'mean', 'min', 'max']

/** The parameter `measures`: some of the {@link measureNames}. */
export const measuresParameter = (names: readonly string[]): Parameter<readonly string[]> => ({
  type: distinct(oneOf(names), name => name),
  description:
    'What to give of each group besides its count, comma-separated. `share` is the part of all counts, from 0 to 1. Measures of a field leave null out, and come with the number of `values`.',
})

/** The parameter `top`: the number of groups to list; without a default, all are listed. */
export const topParameter = (fallback: number | undefined): Parameter<number> => ({
  type: integer({ minimum: 1, maximum: MAX_GROUPS }),
  default: fallback,
  description: 'At most so many groups, those with the highest counts; `rest` sums the others up.',
})
