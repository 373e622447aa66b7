import { stripVTControlCharacters, styleText } from 'node:util'
import { figure } from '../../values/numbers.ts'
import { DAY_S, HOUR_S } from '../../values/time-units.ts'

/** The first twelve digits of a hash, enough to distinguish releases. */
export function shortHash(hash: string): string {
  return `${hash.slice(0, 12)}…`
}

/** Formats a duration: "850 ms", "4.2 s", "3 min", "5 h", "12 days". */
export function span(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 1) return `${figure(Math.round(milliseconds))} ms`
  if (seconds < 120) return `${figure(seconds)} s`
  if (seconds < 7200) return `${figure(Math.round(seconds / 60))} min`
  if (seconds < 2 * DAY_S) return `${figure(Math.round(seconds / HOUR_S))} h`
  return `${figure(Math.round(seconds / DAY_S))} days`
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** Formats a size: "34.1 GiB". */
export function size(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  return `${figure(bytes / 1024 ** power)} ${UNITS[power]}`
}

/** The text on one line, with control characters escaped: a source's text must not control the terminal. */
export function visible(text: string): string {
  // Unicode's categories control, format (bidirectional overrides among them), line and paragraph separator.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}

const COLOURS = { good: 'green', doubtful: 'yellow', bad: 'red' } as const

/** Colours a text if standard output is a terminal. `NO_COLOR` and `FORCE_COLOR` decide otherwise. */
export const coloured = (text: string, meaning: keyof typeof COLOURS): string =>
  styleText(COLOURS[meaning], text, { stream: process.stdout })

const widthOf = (cell: string) => stripVTControlCharacters(cell).length

type Side = 'left' | 'right'

/** Formats rows of cells as a table, columns two blanks apart and aligned to the given side (left by default). */
export function columns(rows: readonly (readonly string[])[], sides: readonly Side[] = []): string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell))
  const pad = (cell: string, index: number) => {
    const blanks = ' '.repeat((widths[index] ?? 0) - widthOf(cell))
    return sides[index] === 'right' ? blanks + cell : cell + blanks
  }
  return rows.map(row => row.map(pad).join('  ').trimEnd())
}

/** Formats rows of cells as a table under a title; nothing without rows. */
export const section = (title: string, rows: readonly (readonly string[])[], sides?: readonly Side[]) =>
  rows.length === 0 ? [] : ['', `${title}:`, ...columns(rows, sides)]
