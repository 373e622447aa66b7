/** Code units that the database sorts differently or cannot store, and the character that escapes NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: texts may have control characters
const UNLIKE = /[\0\x01\ud800-\uffff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0001 is the escape
const REPLACED = /\x01[\x01\x02]|[\u{10000}-\u{127ff}]/gu

const FIRST_SURROGATE = 0xd800
const FIRST_BEYOND = 0x10000

/**
 * Encodes any text so that the database stores it exactly, and sorts its bytes (`collate "C"`) as `<` does: by UTF-16 code
 * units. Nearly all text is unchanged. Each code unit from U+D800 on becomes a character beyond U+FFFF. Otherwise a surrogate
 * pair would sort after U+E000, and a lone surrogate could not be stored.
 */
export const sortableText = (text: string): string => text.replace(UNLIKE, replacement)

/** Decodes the result of {@link sortableText}. */
export const textOf = (sortable: string): string => sortable.replace(REPLACED, original)

function replacement(unit: string): string {
  const code = unit.charCodeAt(0)
  return code < FIRST_SURROGATE
    ? `\x01${String.fromCharCode(code + 1)}`
    : String.fromCodePoint(code - FIRST_SURROGATE + FIRST_BEYOND)
}

const original = (replaced: string): string =>
  String.fromCharCode(
    replaced.startsWith('\x01')
      ? replaced.charCodeAt(1) - 1
      : Number(replaced.codePointAt(0)) - FIRST_BEYOND + FIRST_SURROGATE,
  )
