/** Returns the name of the bank holiday on a day (days since 1970 by the local clock), if it is one. */
export type BankHoliday = (day: number) => string | undefined

/** The kinds of day, by number: 0 is Sunday, 7 a bank holiday whatever its weekday. */
export const DAY_KINDS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'bank-holiday',
] as const

/** Returns the number of a day's kind (see {@link DAY_KINDS}). */
export type KindOfDay = (day: number) => number

/** Creates a lookup of the kinds of days, which computes each once. */
export function kindsOfDays(bankHoliday: BankHoliday): KindOfDay {
  const kinds = new Map<number, number>()
  return day => {
    const known = kinds.get(day)
    if (known !== undefined) return known
    // 1 January 1970 was a Thursday.
    const kind = bankHoliday(day) === undefined ? (((day + 4) % 7) + 7) % 7 : 7
    kinds.set(day, kind)
    return kind
  }
}

/** By kind: car parks fill alike from Monday to Thursday, and on bank holidays as on Sundays. */
const GROUPS = [0, 1, 1, 1, 1, 5, 6, 0]

/** Whether two kinds of day are of one group. */
export const sameGroup = (one: number, other: number) => GROUPS[one] === GROUPS[other]
