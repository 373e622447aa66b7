/** Created at first use: the first formatter of a process takes 20 ms. */
let numbers: Intl.NumberFormat | undefined

/** Formats a number with thousands separators. */
export function figure(value: number): string {
  numbers ??= new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })
  return numbers.format(value)
}

/** Formats a number with its noun: "1 row", "128,894 rows". */
export function counted(value: number, noun: string): string {
  return `${figure(value)} ${noun}${value === 1 ? '' : 's'}`
}
