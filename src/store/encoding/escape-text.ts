/**
 * Encodes any text so that every engine stores it exactly. Nearly all text is unchanged; text with a NUL or a lone
 * surrogate, which engines truncate or replace, becomes a JSON string, and so does text that starts like one.
 */
export function escapeText(text: string): string {
  return /^"|[\0\p{Cs}]/u.test(text) ? JSON.stringify(text) : text
}

/** Decodes the result of {@link escapeText}. */
export function unescapeText(kept: string): string {
  return kept.startsWith('"') ? String(JSON.parse(kept)) : kept
}
