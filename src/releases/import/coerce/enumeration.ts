import { nearest } from '../../../values/text.ts'
import { Rejection } from '../importable.ts'
import type { Coerce } from './coerce.ts'
import { readText } from './text.ts'

/** Coerces to a value of a closed enumeration, ignoring case; blanks, hyphens and underscores are equal. */
export function coerceEnumeration(values: readonly string[]): Coerce {
  const byForm = new Map(values.map(value => [formOf(value), value]))
  return (raw, field) => {
    const form = formOf(readText(raw, field))
    const value = byForm.get(form)
    if (value !== undefined) return value
    throw new Rejection(field, raw, `must be one of ${values.join(', ')}${suggestion(form, values)}`)
  }
}

/** Coerces to a value of an open enumeration in the same way; keeps an unknown value with a warning. */
export function coerceOpenEnumeration(known: readonly string[]): Coerce {
  const values = new Set(known)
  return (raw, field, warn) => {
    const value = formOf(readText(raw, field))
    if (!values.has(value))
      warn(field, raw, `is not a known value (${known.join(', ')})${suggestion(value, known)}`)
    return value
  }
}

function suggestion(value: string, known: readonly string[]): string {
  const meant = nearest(value, known)
  return meant === undefined ? '' : `; ${meant} may be meant`
}

const formOf = (text: string) =>
  text
    .toUpperCase()
    .normalize('NFC')
    .replace(/[\s-]+/g, '_')

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
])

/** Coerces booleans, and words or digits for them. */
export function coerceFlag(raw: unknown, field: string): boolean {
  const value = typeof raw === 'object' ? undefined : FLAGS.get(String(raw).trim().toLowerCase())
  if (value === undefined)
    throw new Rejection(field, raw, 'must be true or false (yes, no, 1 and 0 are understood too)')
  return value
}
