const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
const BLANKS = new Set([0x20, 0x0a, 0x0d, 0x09])

/**
 * Creates a function that indents JSON text, given in pieces that may be cut anywhere, as `JSON.stringify` does with two
 * spaces. It reads characters, not values: names keep their order and numbers their digits.
 */
export function createIndenter(): (piece: Uint8Array) => Buffer {
  let depth = 0
  let isText = false
  let isEscaped = false
  /** After an opening bracket, whose line breaks only if something follows. */
  let isFresh = false

  return piece => {
    // A byte a character: what matters is ASCII, and UTF-8 has no such byte inside other characters.
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1')
    let out = ''
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (code === BACKSLASH) isEscaped = true
        else if (code === QUOTE) isText = false
      } else {
        if (BLANKS.has(code)) continue
        if (CLOSING.has(code)) {
          depth--
          if (!isFresh) out += newLine(depth)
        } else if (isFresh) out += newLine(depth)
        isFresh = OPENING.has(code)
        if (isFresh) depth++
        isText = code === QUOTE
      }
      out += text[at]
      if (!isText && code === COMMA) out += newLine(depth)
      else if (!isText && code === COLON) out += ' '
    }
    return Buffer.from(out, 'latin1')
  }
}

const newLine = (depth: number): string => `\n${'  '.repeat(depth)}`
