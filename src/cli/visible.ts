/** The text on one line, with control characters escaped: a source's text must not control the terminal. */
export function visible(text: string): string {
  // Unicode's categories control, format (bidirectional overrides among them), line and paragraph separator.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}
