import { Refusal } from '../source-row.ts'

/** What may separate the columns of CSV, and its name in messages. */
const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
}

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
