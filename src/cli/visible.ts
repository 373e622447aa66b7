/** The text on one line, with control characters spelt out: what a source holds must not steer the terminal. */
export function visible(text: string): string {
  // Everything of Unicode's categories control, format (bidirectional overrides among them), line and paragraph separator.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}
