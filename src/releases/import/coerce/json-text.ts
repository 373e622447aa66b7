import { Rejection } from '../importable.ts'

/** What JSON text in a cell means, where it starts with the bracket. Else the value itself, text trimmed. */
export function readJson(raw: unknown, bracket: '[' | '{', field: string): unknown {
  if (typeof raw !== 'string') return raw
  const text = raw.trim()
  if (!text.startsWith(bracket)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new Rejection(field, raw, `starts like JSON with ${bracket} but is not JSON`)
  }
}
