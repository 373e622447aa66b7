import type { Texts } from '../indexes/table-data.ts'

/** Renders rows as JSON between two texts, joined by commas or another character. */
export type RenderRows = (rows: Uint32Array, before: string, after: string, separator?: string) => Buffer

/** The size of a SHA-256. */
export const DIGEST_BYTES = 32

/** Encodes texts in UTF-8, one after another. */
export function packTexts(texts: readonly string[]): Texts {
  const bytes = Buffer.from(texts.join(''))
  const starts = new Uint32Array(texts.length + 1)
  let end = 0
  for (const [i, text] of texts.entries()) {
    end += Buffer.byteLength(text)
    starts[i + 1] = end
  }
  return { bytes: new Uint8Array(bytes), starts }
}

/** Returns the text of a code. */
export type TextByCode = (code: number) => string

/** Returns the bytes of a text. */
export function textBytes({ bytes, starts }: Texts, code: number): Buffer {
  const start = starts[code] as number
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, (starts[code + 1] as number) - start)
}

/** Returns the strings of a dictionary, whose texts are JSON. */
export function valuesOf(texts: Texts): TextByCode {
  return cached(texts.starts.length - 1, code => String(JSON.parse(textBytes(texts, code).toString())))
}

/**
 * Returns the UTF-8 bytes of a text as the characters of a string: strings of single-byte characters are joined and
 * written fastest.
 */
export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** Larger dictionaries are not cached as strings. */
const MAX_CACHED = 1 << 17

/** Caches the texts of codes below `size`, each from its first use. */
export function cached(size: number, textOf: TextByCode): TextByCode {
  if (size > MAX_CACHED) return textOf
  let texts: (string | undefined)[] | undefined
  return code => {
    texts ??= new Array(size).fill(undefined)
    texts[code] ??= textOf(code)
    return texts[code]
  }
}
