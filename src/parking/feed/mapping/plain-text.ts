/** The text on one line: blanks and line ends joined to one blank, control and invisible characters cut, trimmed. */
export function plainText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
}

const SHOWN = 40

/** A value from outside in a form that is safe and short enough for a log line. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(plainText(value.slice(0, SHOWN)))
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
