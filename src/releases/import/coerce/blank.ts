/** True for what sources write where they have nothing. */
export function isBlank(raw: unknown): boolean {
  return raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '')
}

/** The same for cells that may hold JSON text, where `null` says it too. */
export function isBlankOrNullText(raw: unknown): boolean {
  return isBlank(raw) || (typeof raw === 'string' && raw.trim() === 'null')
}
