import type { Texts } from '../indexes/table-data.ts'

/** Puts texts, in UTF-8, one after another. */
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

/** Gives the text of a code, or what it says. */
export type TextByCode = (code: number) => string

/**
 * Gives each text with a prefix as a string whose characters stand for UTF-8 bytes: strings of single-byte characters
 * are joined and written out fastest.
 */
export function piecesOf(prefix: string, texts: Texts): TextByCode {
  const start = asBytes(prefix)
  return kept(texts, bytes => start + bytes.toString('latin1'))
}

/** Gives the string that each text, a JSON string, stands for. */
export function valuesOf(texts: Texts): TextByCode {
  return kept(texts, bytes => String(JSON.parse(bytes.toString())))
}

/** Gives the text whose characters are the UTF-8 bytes of another. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** Dictionaries up to this many texts are kept as strings too, each from when it is first needed. */
const KEPT = 1 << 17

function kept({ bytes, starts }: Texts, read: (bytes: Buffer) => string): TextByCode {
  const made = (code: number) => {
    const at = starts[code] as number
    return read(Buffer.from(bytes.buffer, bytes.byteOffset + at, (starts[code + 1] as number) - at))
  }
  const count = starts.length - 1
  if (count > KEPT) return made
  const strings: (string | undefined)[] = new Array(count).fill(undefined)
  return code => {
    strings[code] ??= made(code)
    return strings[code]
  }
}
