/** The known parameters of a query with their values. */
export type ModelQuery = ReadonlyMap<string, string>

/** What a query string says: its known parameters and whether there are others; undefined where it is wrong in itself. */
export function readModelQuery(
  text: string,
  known: readonly string[],
): { query: ModelQuery; hasOthers: boolean } | undefined {
  const query = new Map<string, string>()
  let hasOthers = false
  for (const piece of text.split('&').filter(part => part !== '')) {
    const [, name, value] = /^([^=]*)=?(.*)$/s.exec(piece)?.map(plain) ?? []
    if (name === undefined || value === undefined) return undefined
    if (!known.includes(name)) hasOthers = true
    else if (value === '') continue
    else if (query.has(name)) return undefined
    else query.set(name, value)
  }
  return { query, hasOthers }
}

function plain(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replace(/\+/g, '%20'))
  } catch {
    return undefined
  }
}

/** A whole number from 1 to the largest, or undefined. */
export function wholeNumber(text: string, largest: number): number | undefined {
  const number = /^\d{1,15}$/.test(text) ? Number.parseInt(text, 10) : 0
  return number >= 1 && number <= largest ? number : undefined
}

/** The date that a text means, as `YYYY-MM-DD`, or undefined. */
export function dateOf(text: string): string | undefined {
  const [, year, slash, month, day, rest] = /^(\d{4})([-/])(\d\d)\2(\d\d)(.*)$/s.exec(text) ?? []
  if (year === undefined || !existsOn(Number(year), Number(month), Number(day))) return undefined
  if (rest === '') return `${year}-${month}-${day}`
  if (slash !== '-' || !/^T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(rest ?? '')) return undefined
  const instant = new Date(text)
  if (Number.isNaN(instant.getTime())) return undefined
  const utc = instant.toISOString()
  // Years beyond 0 to 9999 have a sign and six digits.
  return /^\d{4}-/.test(utc) ? utc.slice(0, 10) : undefined
}

/** Whether the calendar has the day. */
export function existsOn(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  return days !== undefined && day >= 1 && day <= days
}
