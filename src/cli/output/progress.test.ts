import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import type { Progress } from '../../releases/import/report.ts'
import { progressDisplay } from './progress.ts'

/** A stream that is a terminal or not, and the text written to it. */
function stream(isTTY: boolean): { stream: NodeJS.WriteStream; written: () => string } {
  const pass = new PassThrough({ encoding: 'utf8' })
  const terminal = {
    isTTY,
    columns: 80,
    cursorTo() {},
    clearLine() {},
    clearScreenDown() {},
    moveCursor() {},
  }
  return {
    stream: Object.assign(pass, terminal) as unknown as NodeJS.WriteStream,
    written: () => pass.read() ?? '',
  }
}

function clock(t: TestContext): (milliseconds: number) => void {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  return milliseconds => {
    now += milliseconds
  }
}

test('where there is no terminal, a line says rows and share, every two seconds at most', t => {
  const pass = clock(t)
  const { stream: plain, written } = stream(false)
  const display = progressDisplay(plain, 'vehicles')
  display.update({ rows: 500, bytesRead: 1, bytesTotal: 200 })
  assert.equal(written(), '')
  pass(2000)
  display.update({ rows: 66_000, bytesRead: 106, bytesTotal: 200 })
  display.update({ rows: 66_500, bytesRead: 107, bytesTotal: 200 })
  pass(2000)
  display.update({ rows: 70_000, bytesRead: 110, bytesTotal: null })
  display.stop()
  assert.equal(written(), 'vehicles: 66,000 rows, 53 %\nvehicles: 70,000 rows\n')
})

/** The lines on a terminal after these updates. */
function onTerminal(...updates: readonly Progress[]): string {
  const { stream: terminal, written } = stream(true)
  const display = progressDisplay(terminal, 'vehicles')
  for (const update of updates) display.update(update)
  display.stop()
  return written()
}

test('on a terminal a bar shows the share of bytes, and rows; without a known size, only rows', () => {
  const at = { rows: 66_000, bytesRead: 106 }
  assert.match(onTerminal({ ...at, bytesTotal: 200 }), /vehicles {2}\[=+-+\] 53% {2}66,000 rows/)
  assert.match(onTerminal({ ...at, bytesTotal: null }), /^[^%]*vehicles {2}66,000 rows[^%]*$/)
})

test('without a terminal each phase after reading has a line, unless the import is quick', t => {
  const pass = clock(t)
  const { stream: plain, written } = stream(false)
  const display = progressDisplay(plain, 'vehicles')
  const read = { rows: 500, bytesRead: 200, bytesTotal: 200 }
  display.update({ ...read, phase: 'tidying up' })
  pass(2000)
  display.update(read)
  display.update({ ...read, phase: 'sorting' })
  display.update({ ...read, phase: 'publishing' })
  assert.equal(written(), 'vehicles: 500 rows, 100 %\nvehicles: sorting…\nvehicles: publishing…\n')
})

test('on a terminal the later phases follow the row count', () => {
  const read = { rows: 66_000, bytesRead: 200, bytesTotal: 200 }
  assert.match(onTerminal(read, { ...read, phase: 'sorting' }), /66,000 rows, sorting…/)
})
