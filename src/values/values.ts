import type { TSchema } from 'typebox'
import Type from 'typebox'
import { type ParameterError, StacklessError } from '../errors.ts'
import { fold, nearestOf } from './text.ts'

/**
 * A type of value that arrives as text: in a query, a path, the environment or on the command line. One declaration
 * parses it, describes the allowed values in errors, and documents it in OpenAPI.
 */
export interface ValueType<T> {
  /** Parses the text. Throws {@link NotAllowed} if the text is not of the type. */
  parse(text: string): T
  /** Formats the value canonically: equal values give equal text. */
  format(value: T): string
  /** A description of the allowed values, printed after "allowed: ". */
  readonly allowed: string
  readonly schema: TSchema
  /** The text as messages show it; for types whose text may hold a secret. */
  readonly shown?: (text: string) => string
}

/** A query parameter: its type, meaning and default value. */
export interface Parameter<T = unknown> {
  readonly type: ValueType<T>
  readonly description: string
  readonly default?: T | undefined
}

/** The JSON Schema of a parameter's values. Without a default of the parameter, a default of the type stays. */
export const valueSchema = ({ type, description, default: value }: Parameter): object => ({
  ...type.schema,
  description,
  default: value ?? memberOf(type.schema, 'default'),
})

/** The text is not a value of the type; `nearest` is an allowed value that may have been meant. */
export class NotAllowed extends StacklessError {
  override name = 'NotAllowed'
  readonly nearest: string | undefined
  constructor(reason: string, nearest?: string) {
    super(reason)
    this.nearest = nearest
  }
}

/** Whether a value is an object with named members, not a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The member of an object or a list; undefined if the value has no such member. */
export function memberOf(value: unknown, name: string): unknown {
  const members: Readonly<Record<string, unknown>> = Object(value)
  return Object.hasOwn(members, name) ? members[name] : undefined
}

/** Parameters have valid values that an interface cannot serve, alone or together. */
export class InvalidParameter extends StacklessError {
  override name = 'InvalidParameter'
  readonly error: ParameterError
  constructor(error: ParameterError) {
    super(`${error.parameter} ${error.detail}`)
    this.error = error
  }
}

/**
 * A whole number in decimal digits. A pattern checks the text, because `Number` accepts "Infinity", "1e9" and 400 digits.
 */
export function integer(range: { minimum: number; maximum: number }): ValueType<number> {
  const allowed = `a whole number from ${range.minimum} to ${range.maximum}`
  return {
    allowed,
    schema: Type.Integer(range),
    format: String,
    parse(text) {
      const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (Number.isNaN(value)) throw new NotAllowed(`must be ${allowed}`)
      if (value < range.minimum) throw new NotAllowed(`must be at least ${range.minimum}`)
      if (value > range.maximum) throw new NotAllowed(`must be at most ${range.maximum}`)
      return value
    },
  }
}

/** The comma-separated numbers in a text, and the first part that does not match the form. */
export function numbersIn(text: string, form: RegExp): { numbers: number[]; wrong: string | undefined } {
  const parts = text.split(',').map(part => part.trim())
  // Turns -0 into 0.
  return { numbers: parts.map(part => Number(part) + 0), wrong: parts.find(part => !form.test(part)) }
}

/** A number in decimal notation, such as 12.5. */
export function number({ isInteger = false } = {}): ValueType<number> {
  const allowed = isInteger ? 'a whole number' : 'a number such as 12.5'
  return {
    allowed,
    schema: isInteger ? Type.Integer() : Type.Number(),
    format: String,
    parse(text) {
      const form = isInteger ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d+)?$/
      if (!form.test(text)) throw new NotAllowed(`must be ${allowed}`)
      // Turns -0 into 0.
      return Number(text) + 0
    },
  }
}

/** Text of limited length, without control characters. */
export function text(limits: { maxLength: number }): ValueType<string> {
  const allowed = `text of at most ${limits.maxLength} characters`
  return {
    allowed,
    schema: Type.String(limits),
    format: value => value,
    parse(value) {
      if (value.length > limits.maxLength) throw new NotAllowed(`must be ${allowed}; it has ${value.length}`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
      if (/[\u0000-\u001f\u007f]/.test(value)) throw new NotAllowed('must not contain control characters')
      return value
    },
  }
}

/** A SHA-256 in hexadecimal digits, of either case. */
export function sha256(): ValueType<string> {
  const allowed = '64 hexadecimal digits'
  return {
    allowed,
    schema: Type.String({ pattern: '^[0-9A-Fa-f]{64}$' }),
    format: value => value,
    parse(value) {
      if (!/^[0-9a-f]{64}$/i.test(value)) throw new NotAllowed(`must be ${allowed}`)
      return value.toLowerCase()
    },
  }
}

export interface OneOfOptions {
  /** Whether words are compared folded, so that "ST ANNE" matches "St. Anne". */
  readonly ignoreCase?: boolean
  /** Spellings of one word each, which is the first. */
  readonly spellings?: readonly (readonly string[])[] | undefined
  /** Other words for keywords, in lower case: not allowed, but errors suggest the keyword. */
  readonly otherWords?: Readonly<Record<string, string>> | undefined
}

/** One of a list of keywords. */
export function oneOf<W extends string>(words: readonly W[], options: OneOfOptions = {}): ValueType<W> {
  const allowed = words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`
  const key = (word: string) => (options.ignoreCase ? fold(word) : word)
  const otherWords = new Map(Object.entries(options.otherWords ?? {}).map(([word, its]) => [key(word), its]))
  const byKey = new Map<string, string>()
  for (const [first = '', ...others] of options.spellings ?? [])
    for (const word of others) byKey.set(key(word), first)
  for (const word of words) byKey.set(key(word), word)
  const nearestWord = nearestOf(words)
  return {
    allowed,
    schema: Type.Unsafe({ type: 'string', enum: words }),
    format: value => value,
    parse(value) {
      const word = byKey.get(key(value)) as W | undefined
      if (word === undefined)
        throw new NotAllowed(`must be ${allowed}`, otherWords.get(key(value)) ?? nearestWord(value))
      return word
    },
  }
}

/** Values separated by commas; surrounding spaces and empty items are ignored. */
export function listOf<T>(item: ValueType<T>): ValueType<T[]> {
  return {
    get allowed() {
      return `a comma-separated list, each ${item.allowed}`
    },
    schema: Type.Array(item.schema),
    format: values => values.map(value => item.format(value)).join(','),
    parse: value =>
      value
        .split(',')
        .map(part => part.trim())
        .filter(part => part !== '')
        .map(part => item.parse(part)),
  }
}

/** `true` or `false`. */
export function flag(): ValueType<boolean> {
  const words = oneOf(['true', 'false'])
  return { ...words, schema: Type.Boolean(), format: String, parse: value => words.parse(value) === 'true' }
}

/** Adds an item to the list of a key. */
export function addTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}
