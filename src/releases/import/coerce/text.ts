import { suggestion } from '../../../values/text.ts'
import type { Coerce, Warn } from '../field-schema.ts'
import { uuidOf } from '../identity.ts'
import { Rejection } from '../importable.ts'

const PLAIN = /^[\x20-\x7e]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const BROKEN = /[\p{Surrogate}\ufffd]/u
/** UTF-8 that was decoded as Windows-1252 and encoded again: "CafÃ©". */
const DOUBLY_ENCODED = /Ã[\u0080-\u00bf]|Â[\u00a0-\u00bf]|â€/

/** Coerces to trimmed text in Unicode NFC, without control characters except line feed and tab. */
export function coerceText(pattern?: string): Coerce {
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  return (raw, field, warn) => {
    const text = readText(raw, field)
    if (form !== undefined && !form.test(text)) throw new Rejection(field, raw, `must match ${form.source}`)
    warnOfDoubleEncoding(text, field, warn)
    return text
  }
}

/** The text of a string or number; numbers in decimal, since sources have codes as numbers. */
export function readText(raw: unknown, field: string): string {
  const written = typeof raw === 'number' ? String(raw) : raw
  if (typeof written !== 'string') throw new Rejection(field, raw, 'must be text')
  if (typeof raw === 'number' && !/^-?[\d.]+$/.test(written))
    throw new Rejection(field, raw, 'is a number that has no plain decimal form')
  const trimmed = written.trim()
  const text = PLAIN.test(trimmed) ? trimmed : composed(trimmed, raw, field)
  return text
}

/** As spreadsheets write a number: with decimals, or as digits and a power of ten. */
const SPREADSHEET_NUMBER = /^(\d+)(?:\.(\d+))?(?:e\+?(\d{1,3}))?$/i

/** Coerces to a code of digits. Restores one that a spreadsheet took for a number, if the text has all of its digits. */
export const coerceCode: Coerce = (raw, field) => {
  const text = readText(raw, field)
  const [, whole = '', decimals = '', power = ''] = SPREADSHEET_NUMBER.exec(text) ?? []
  if (decimals === '' && power === '') return text
  const exponent = Number(power)
  if (decimals.length < exponent || /[^0]/.test(decimals.slice(exponent)))
    throw new Rejection(
      field,
      raw,
      'is a code that a spreadsheet wrote as a number, without all of its digits; format the column as text and write the code again',
    )
  return whole + decimals.slice(0, exponent)
}

function composed(trimmed: string, raw: unknown, field: string): string {
  const text = trimmed.replaceAll('\r\n', '\n').normalize('NFC')
  if (CONTROL.test(text)) throw new Rejection(field, raw, 'contains a control character')
  if (BROKEN.test(text))
    throw new Rejection(
      field,
      raw,
      'holds a character that was damaged before; save the source as UTF-8 again',
    )
  return text
}

function warnOfDoubleEncoding(text: string, field: string, warn: Warn): void {
  if (!PLAIN.test(text) && DOUBLY_ENCODED.test(text))
    warn(field, text, 'looks like UTF-8 that was read in another encoding')
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Coerces to a UUID in lower case. */
export function coerceUuid(raw: unknown, field: string): string {
  const text = typeof raw === 'string' ? raw.trim().toLowerCase() : ''
  if (!UUID.test(text))
    throw new Rejection(field, raw, 'must be a UUID such as 03d8bf66-e451-4a20-b3e5-96f8c1293f2c')
  return text
}

/** Parts of hexadecimal digits: a UUID that is damaged, not another kind of id. */
const LIKE_UUID = /^[\da-f]+(-[\da-f]+){3,}$/i

/** Coerces the id of a record to a UUID; an id of another kind gives one that is the same at every import. */
export function coerceId(dataset: string): Coerce {
  return (raw, field) => {
    const text = readText(raw, field)
    return UUID.test(text.toLowerCase()) || LIKE_UUID.test(text)
      ? coerceUuid(raw, field)
      : uuidOf(dataset, 'id', '', text)
  }
}

/** Coerces to a value of a closed enumeration, ignoring case; blanks, hyphens and underscores are equal. */
export function coerceEnumeration(values: readonly string[]): Coerce {
  const byForm = new Map(values.map(value => [formOf(value), value]))
  return (raw, field) => {
    const form = formOf(readText(raw, field))
    const value = byForm.get(form)
    if (value !== undefined) return value
    throw new Rejection(
      field,
      raw,
      `must be one of ${values.join(', ')}${suggestion(form, values, mayBeMeant)}`,
    )
  }
}

/** Coerces to a value of an open enumeration in the same way; keeps an unknown value with a warning. */
export function coerceOpenEnumeration(known: readonly string[]): Coerce {
  const values = new Set(known)
  return (raw, field, warn) => {
    const value = formOf(readText(raw, field))
    if (!values.has(value))
      warn(field, raw, `is not a known value (${known.join(', ')})${suggestion(value, known, mayBeMeant)}`)
    return value
  }
}

const mayBeMeant = (meant: string) => `; ${meant} may be meant`

const formOf = (text: string) =>
  text
    .toUpperCase()
    .normalize('NFC')
    .replace(/[\s-]+/g, '_')

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1', 'x', '✓'].map(word => [word, true] as const),
  ...['false', 'no', 'n', '0'].map(word => [word, false] as const),
])

/** Coerces booleans, and words or digits for them. */
export function coerceFlag(raw: unknown, field: string): boolean {
  const value = typeof raw === 'object' ? undefined : FLAGS.get(String(raw).trim().toLowerCase())
  if (value === undefined)
    throw new Rejection(field, raw, 'must be true or false (yes, no, y, n, x, 1 and 0 are understood too)')
  return value
}
