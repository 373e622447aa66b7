import { Refusal } from '../source-row.ts'

/** What may separate the columns of CSV, and its name in messages. */
const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
}

/** A first line that names the separator for Excel: "sep=;". */
export const SEPARATOR_LINE = /^"?sep=([^"\s\w]|\t)"?\s*$/i

/** Whether cells are the header of what is sought. */
export type IsHeader = (cells: readonly string[]) => boolean

/** Whether a line is a header with any delimiter. */
export const canBeHeader = (line: string, isHeader: IsHeader): boolean =>
  Object.keys(DELIMITERS).some(delimiter => isHeader(cellsOf(line, delimiter)))

/** The cells of a line, as far as that is needed to know their names. */
const cellsOf = (line: string, delimiter: string) =>
  line.replace(/"([^"]*)"/g, (_, cell: string) => cell.replaceAll(delimiter, ' ')).split(delimiter)

/**
 * The delimiter of CSV: the most frequent in its header outside quotes. Throws {@link Refusal} where two are equally
 * frequent.
 */
export function delimiterOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '')
  const counts = Object.entries(DELIMITERS).map(([delimiter, noun]) => ({
    ...{ delimiter, noun },
    count: bare.split(delimiter).length - 1,
  }))
  const [first, second] = counts.sort((a, b) => b.count - a.count)
  // A header of one column.
  if (first === undefined || first.count === 0) return ','
  if (first.count === second?.count)
    throw new Refusal(
      `the header has as many ${first.noun} as ${second.noun} (${first.count} of each); say which separates the columns with --delimiter`,
    )
  return first.delimiter
}
