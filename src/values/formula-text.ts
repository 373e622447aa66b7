/** The start of text that a spreadsheet would run as a formula, with or without apostrophes before it. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/

/** Makes text safe for spreadsheets: adds an apostrophe before a possible formula, and leaves other text unchanged. */
export const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** Reverses {@link guardFormula}. */
export const unguardFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
