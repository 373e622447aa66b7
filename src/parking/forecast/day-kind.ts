/** Tells the name of the bank holiday on a day (days since 1970 by the local clock), if it is one. */
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

// 1 January 1970 was a Thursday.
const dayKind = (day: number, bankHoliday: BankHoliday) =>
  bankHoliday(day) === undefined ? (((day + 4) % 7) + 7) % 7 : 7

/** Tells the number of a day's kind (see {@link DAY_KINDS}). */
export type KindOfDay = (day: number) => number

/** Tells kinds of days; each is worked out once. */
export function kindsOfDays(bankHoliday: BankHoliday): KindOfDay {
  const kinds = new Map<number, number>()
  return day => {
    let kind = kinds.get(day)
    if (kind === undefined) {
      kind = dayKind(day, bankHoliday)
      kinds.set(day, kind)
    }
    return kind
  }
}

/** By kind: car parks fill alike from Monday to Thursday, and on bank holidays as on Sundays. */
const SORTS = [0, 1, 1, 1, 1, 5, 6, 0]

/** Whether two kinds of day are of one sort. */
export const sameSort = (one: number, other: number) => SORTS[one] === SORTS[other]
