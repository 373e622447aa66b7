/** A Markdown table that also reads well as plain text: the first column is aligned to the left, the others to the right. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, i) => Math.max(3, ...[header, ...rows].map(row => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, i) => pad(row[i] ?? '', width, i === 0)).join(' | ')} |`
  const rule = `|${widths.map((width, i) => (i === 0 ? `${'-'.repeat(width + 2)}` : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(header), rule, ...rows.map(line)].join('\n')
}

const pad = (text: string, width: number, left: boolean) => (left ? text.padEnd(width) : text.padStart(width))
