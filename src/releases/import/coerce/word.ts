import { nearest } from '../../../values/nearest.ts'
import { Rejection } from '../importable.ts'
import type { Conform } from './coerce.ts'
import { readText } from './text.ts'

/** A word of a closed list, whatever its case and whether blanks, hyphens or underscores part it. */
export function conformWord(words: readonly string[]): Conform {
  const byForm = new Map(words.map(word => [formOf(word), word]))
  return (raw, field) => {
    const text = readText(raw, field)
    const word = byForm.get(formOf(text))
    if (word !== undefined) return word
    const meant = nearest(formOf(text), words)
    throw new Rejection(
      field,
      raw,
      `must be one of ${words.join(', ')}${meant ? `; ${meant} may be meant` : ''}`,
    )
  }
}

/** A word of an open list in the same form; one that is not known is noted and left as it is. */
export function conformOpenWord(known: readonly string[]): Conform {
  const words = new Set(known)
  return (raw, field, warn) => {
    const word = formOf(readText(raw, field))
    if (!words.has(word)) {
      const meant = nearest(word, known)
      warn(field, raw, `is not a known value (${known.join(', ')})${meant ? `; ${meant} may be meant` : ''}`)
    }
    return word
  }
}

const formOf = (text: string) =>
  text
    .toUpperCase()
    .normalize('NFC')
    .replace(/[\s-]+/g, '_')
