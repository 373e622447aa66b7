/** The start of text that a spreadsheet would run as a formula, behind apostrophes or not. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/

/** Text in a form that no spreadsheet runs: with one more apostrophe before what could be a formula, else as it is. */
export const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text that {@link guardFormula} was given. */
export const unguardFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
