import { fold } from '../values/text.ts'

/**
 * The words of a text, folded: what lies between anything but letters and digits. A word that is part of another is left
 * out, as whatever contains the other contains it.
 */
export function wordsOf(text: string): string[] {
  const words = [...new Set(fold(text).split(/[^\p{L}\p{N}]+/u))]
  return words.filter(word => word !== '' && !words.some(other => other !== word && other.includes(word)))
}
