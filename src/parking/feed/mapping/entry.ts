import type { LiveEntry, UncountedEntry } from '../../../store/store.ts'
import { isObject } from '../../../values/values.ts'

const MAX_SPACES = 100_000
const MAX_LENGTH = { name: 200, code: 64, status: 100 }

/** An entry of the feed is invalid; the message says why. */
export class MalformedEntryError extends Error {
  override name = 'MalformedEntryError'
}

/** Reads one entry of the feed's list (spec 4.5). Throws {@link MalformedEntryError}. */
export function readEntry(raw: unknown): LiveEntry {
  if (!isObject(raw)) throw new MalformedEntryError(`it is ${shown(raw)}, not an object`)
  if (Object.hasOwn(raw, '__proto__')) throw new MalformedEntryError('it holds a key __proto__')
  const code = readText(raw, 'code')
  if (code === '__proto__') throw new MalformedEntryError('code is __proto__')
  return {
    name: readText(raw, 'name'),
    code,
    spaces: readSpaces(own(raw, 'spaces')),
    status: readText(raw, 'status'),
    open: open(own(raw, 'carparkOpen')),
  }
}

/** Reads an entry that is malformed only in its count; undefined for any other fault. */
export function readUncounted(raw: unknown): UncountedEntry | undefined {
  try {
    const { spaces: _, ...entry } = readEntry(isObject(raw) ? { ...raw, spaces: 0 } : raw)
    return entry
  } catch (error) {
    if (error instanceof MalformedEntryError) return undefined
    throw error
  }
}

/** The value of the object's own key, in any case; the exact key goes first. */
export function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  if (Object.hasOwn(object, key)) return object[key]
  const other = Object.keys(object).find(name => name.toLowerCase() === key.toLowerCase())
  return other === undefined ? undefined : object[other]
}

/** The text of a key, on one line. Throws {@link MalformedEntryError}. */
export function readText(raw: Readonly<Record<string, unknown>>, key: keyof typeof MAX_LENGTH): string {
  const value = own(raw, key)
  if (typeof value !== 'string') throw new MalformedEntryError(`${key} is ${shown(value)}, not text`)
  if (value.length > MAX_LENGTH[key])
    throw new MalformedEntryError(`${key} has ${value.length} characters, more than ${MAX_LENGTH[key]}`)
  const plain = plainText(value)
  if (plain === '') throw new MalformedEntryError(`${key} is blank`)
  return plain
}

/** A number of free spaces. Throws {@link MalformedEntryError}. */
export function readSpaces(value: unknown): number {
  const written = typeof value === 'string' ? value.trim() : value
  const number =
    typeof written === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(written) ? Number(written) : written
  if (typeof number !== 'number') throw new MalformedEntryError(`spaces is ${shown(value)}, not a number`)
  if (!Number.isInteger(number)) throw new MalformedEntryError(`spaces is ${number}, not a whole number`)
  if (number < 0) throw new MalformedEntryError(`spaces is ${number}, below 0`)
  if (number > MAX_SPACES) throw new MalformedEntryError(`spaces is ${number}, more than ${MAX_SPACES}`)
  // Turns -0 into 0.
  return number + 0
}

function open(value: unknown): boolean {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 'true') return true
  if (word === false || word === 'false') return false
  throw new MalformedEntryError(`carparkOpen is ${shown(value)}, neither true nor false`)
}

/** The text on one line: blanks and line ends joined to one blank, control and invisible characters cut, trimmed. */
export function plainText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
}

const SHOWN = 40

/** A value from outside in a form that is safe and short enough for a log line. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(plainText(value.slice(0, SHOWN)))
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  return isObject(value) ? 'an object' : String(value)
}
