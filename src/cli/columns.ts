type Side = 'left' | 'right'

/** Formats rows of cells as a table, columns two blanks apart and aligned to the given side (left by default). */
export function columns(rows: readonly (readonly string[])[], sides: readonly Side[] = []): string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return rows.map(row =>
    row
      .map((cell, index) => pad(cell, widths[index] ?? 0, sides[index] ?? 'left'))
      .join('  ')
      .trimEnd(),
  )
}

function pad(cell: string, width: number, side: Side): string {
  return side === 'left' ? cell.padEnd(width) : cell.padStart(width)
}
