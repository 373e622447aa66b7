import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './tracked-files.ts'

/* The structure of the documentation: its pages, their sections and the rows of their tables. */

export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

export const sorted = (values: Iterable<string>) => [...new Set(values)].sort()

/** Text by heading of the level given; what stands before the first heading is left out. */
export function sections(text: string, level: string): Map<string, string> {
  const parts = text.split(new RegExp(`^${level} `, 'm')).slice(1)
  return new Map(parts.map(part => [part.split('\n', 1)[0]?.trim() ?? '', part.slice(part.indexOf('\n'))]))
}

/** Cells of every table row whose first cell starts with code. */
export function codeRows(text: string): string[][] {
  const rows = text.split('\n').filter(line => line.startsWith('| `'))
  return rows.map(row =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
}

/** The names in code within a text: of `a`, `b` both. */
export const codes = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? '')

/** The first name in code of each such row. */
export const rowNames = (text = '') => codeRows(text).map(([cell]) => codes(cell)[0] ?? '')

/** Every page of the repository that documents the service. */
export function pages(): string[] {
  const below = (folder: string) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.md'))
      .map(file => join(folder, file))
  return [
    ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'client/README.md'].filter(file =>
      existsSync(join(ROOT, file)),
    ),
    ...below('docs'),
    ...below('src'),
  ]
}
