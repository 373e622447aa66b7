/**
 * Writes any text in a form that every engine keeps exactly. Nearly all text stays as it is; what holds a NUL or half a
 * surrogate pair, which engines cut or replace, is written as a JSON string, and so is what starts like one.
 */
export function escapeText(text: string): string {
  return /^"|[\0\p{Cs}]/u.test(text) ? JSON.stringify(text) : text
}

/** Reads what {@link escapeText} wrote. */
export function unescapeText(kept: string): string {
  return kept.startsWith('"') ? String(JSON.parse(kept)) : kept
}
