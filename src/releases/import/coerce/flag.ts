import { Rejection } from '../importable.ts'

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
])

/** True or false, or a word or digit for it. */
export function conformFlag(raw: unknown, field: string): boolean {
  const value = typeof raw === 'object' ? undefined : WORDS.get(String(raw).trim().toLowerCase())
  if (value === undefined)
    throw new Rejection(field, raw, 'must be true or false (yes, no, 1 and 0 are understood too)')
  return value
}
