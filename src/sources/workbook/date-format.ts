/** The ranges of Excel's own formats that show dates or times, those of East Asian ones included (ECMA-376 part 1, 18.8.30). */
const BUILT_IN = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const

/** What a format shows as it is: quoted or escaped text, fillers, colours and conditions, but not elapsed time such as [h]. */
const LITERAL = /"[^"]*"|[\\_*].|\[(?!h+\]|m+\]|s+\])[^\][]*\]/gi

/** Whether a number with this format, its code given where it is the workbook's own, is a date or a time. */
export const isDateFormat = (id: number, code: string | undefined): boolean =>
  code === undefined
    ? BUILT_IN.some(([first, last]) => first <= id && id <= last)
    : /[dmyhs]/i.test(code.replace(/general/gi, '').replace(LITERAL, ''))
