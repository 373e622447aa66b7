/**
 * A value as one cell: lists joined by commas, objects as JSON, null and undefined empty, as publishers here write them
 * and imports read them. Numbers stay numbers: they are not escaped.
 */
export function csvCell(value: unknown): string | number {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return value
  if (Array.isArray(value)) return value.map(csvCell).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
