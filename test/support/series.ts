/** The series of a page of metrics in Prometheus' text format, each with its labels, and their values. */
export type Series = ReadonlyMap<string, number>

/** Reads a page of metrics. */
export function seriesOf(page: string): Series {
  const lines = page.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

/** The sum of a metric over its labels, or over those that a condition chooses. */
export function sumOf(
  series: Series,
  name: string,
  chosen: (labels: string) => boolean = () => true,
): number {
  let sum = 0
  for (const [key, value] of series)
    if (key.startsWith(`${name}{`) && chosen(key.slice(name.length))) sum += value
  return sum
}
