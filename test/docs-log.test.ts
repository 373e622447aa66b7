import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { codeRows, codes, read } from './support/markdown.ts'
import { ROOT } from './support/tracked-files.ts'

/* Holds the log events that monitor.md lists to those that the source writes, in both directions. */

const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map(file => read(join('src', file)))

/** The events in the first column of the table of log lines. */
function documented(): string[] {
  const logs = read('docs/how-to/monitor.md').split('\n## Logs\n')[1] ?? assert.fail('no section on logs')
  return codeRows(logs).flatMap(([cell]) => codes(cell))
}

/** Events that are written as they are, `event: 'name'`, and those of a name put together: `event: \`feed-${role}\``. */
const events = new Set(
  SOURCES.flatMap(source => [...source.matchAll(/\bevent: '([a-z-]+)'/g)].map(([, name = '']) => name)),
)
const isComposed = (name: string) =>
  SOURCES.some(source =>
    [...source.matchAll(/\bevent: `([a-z]+-)\$\{\w+\}`/g)].some(
      ([, prefix = '']) =>
        name.startsWith(prefix) && new RegExp(`\\b${name.slice(prefix.length)}\\b`).test(source),
    ),
  )

test('every log event that monitor.md lists is written by the source', () => {
  const missing = documented().filter(name => !events.has(name) && !isComposed(name))
  assert.deepEqual(missing, [])
})

test('monitor.md lists every log event of the source', () => {
  const listed = new Set(documented())
  assert.ok(events.size > 15, 'events are found in the source')
  assert.deepEqual(
    [...events].filter(name => !listed.has(name)),
    [],
  )
})
