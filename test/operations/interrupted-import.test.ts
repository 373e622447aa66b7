import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { emptyFolder } from '../support/folder.ts'
import { pds, startPds } from '../support/pds.ts'
import { ENGINES } from '../support/store-engines.ts'
import { until } from '../support/until.ts'
import { rowOf, sheetOf, workbookOf } from '../support/workbook.ts'

const HEADER = 'MAKE,MODEL,FUEL TYPE,CC\n'
const ROW = 'FORD,KA,Petrol,1000\n'
const LINE = '{"make":"Ford","model":"KA","fuelType":"PETROL","cylinderCapacity":1000}\n'
/** The service promises one second; the rest is for a busy machine. */
const AT_MOST_MS = 2000

/** What arrives until the import has reported its progress, and what it then waits for the end of. */
const ENDLESS: readonly { of: string; start: string; again: string; last: string }[] = [
  { of: 'rows', start: HEADER, again: ROW.repeat(1000), last: ROW },
  { of: 'a row that does not end', start: HEADER, again: ROW.repeat(1000), last: `"${'x'.repeat(900_000)}` },
  { of: 'NDJSON', start: LINE, again: LINE.repeat(1000), last: LINE.trimEnd() },
  { of: 'JSON of numbers', start: '[', again: '1,'.repeat(10_000), last: '1,' },
]

for (const { name, emptyStore } of ENGINES)
  for (const { of, start, again, last } of ENDLESS)
    test(`${name}: SIGTERM ends an import of ${of} at once, and the next import need not wait`, async t => {
      const folder = await emptyFolder(t)
      const environment = { DATABASE_URL: await emptyStore(t) }
      const child = startPds(folder, ['import', 'vehicles', '-'], environment)
      t.after(() => child.kill('SIGKILL'))
      child.stdin.on('error', () => {})
      let told = ''
      child.stderr.on('data', chunk => (told += chunk))
      child.stdin.write(start)
      while (!/rows/.test(told) && child.exitCode === null)
        await new Promise(done => child.stdin.write(again, done))
      await new Promise(done => child.stdin.write(last, done))
      await isTerminated(child)
      assert.match(told, /interrupted: nothing was changed\n$/)
      await isFree(folder, environment)
    })

test('SIGTERM ends an import of a workbook at once, and the next import need not wait', async t => {
  const folder = await emptyFolder(t)
  const rows = Array.from({ length: 200_000 }, (_, at) => rowOf('Ford', `KA ${at * 7919}`, 'Petrol', '1000'))
  await writeFile(
    join(folder, 'vehicles.xlsx'),
    workbookOf(sheetOf(rowOf(...HEADER.trim().split(',')), rows.join(''))),
  )
  const child = startPds(folder, ['import', 'vehicles', 'vehicles.xlsx'])
  t.after(() => child.kill('SIGKILL'))
  let told = ''
  child.stderr.on('data', chunk => (told += chunk))
  await until(() => /rows/.test(told), 'rows to be read')
  await isTerminated(child)
  await isFree(folder, {})
})

test('SIGTERM ends an import at once that waits for a program to write to its pipe', async t => {
  const folder = await emptyFolder(t)
  const pipe = makePipe(folder)
  const child = startPds(folder, ['import', 'vehicles', pipe])
  t.after(() => child.kill('SIGKILL'))
  await until(() => hasReader(pipe), 'the import to open the pipe')
  await isTerminated(child)
})

test('SIGTERM ends an import at once whose pipe is open, but silent', async t => {
  const folder = await emptyFolder(t)
  const pipe = makePipe(folder)
  const child = startPds(folder, ['import', 'vehicles', pipe])
  t.after(() => child.kill('SIGKILL'))
  await until(() => hasReader(pipe), 'the import to open the pipe')
  const writer = await open(pipe, 'w')
  t.after(() => writer.close())
  await writer.write(HEADER)
  await isTerminated(child)
  await isFree(folder, {})
})

test('an import reads a pipe to the end, whether its reader or its writer comes first', async t => {
  const folder = await emptyFolder(t)
  const packed = gzipSync(HEADER + ROW.repeat(50_000))
  for (const first of ['reader', 'writer']) {
    const pipe = makePipe(folder)
    const reading = first === 'reader' ? pds(folder, ['import', 'vehicles', pipe, '--json']) : undefined
    if (reading !== undefined) await until(() => hasReader(pipe), 'the import to open the pipe')
    const writing = open(pipe, 'w').then(writer => writer.writeFile(packed).finally(() => writer.close()))
    const { status, stdout } = await (reading ?? pds(folder, ['import', 'vehicles', pipe, '--json']))
    await writing
    assert.equal(status, 0, stdout)
    assert.equal(JSON.parse(stdout).accepted, 50_000)
  }
})

let pipes = 0

function makePipe(folder: string): string {
  const path = join(folder, `pipe-${++pipes}`)
  execFileSync('mkfifo', [path])
  return path
}

/** Whether a process has a pipe open for reading; to open it for writing fails otherwise. */
function hasReader(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
    return true
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENXIO')
    return false
  }
}

/** Sends SIGTERM to an import and expects it to end by that. */
async function isTerminated(child: ChildProcess): Promise<void> {
  assert.equal(child.exitCode, null)
  const startedAt = performance.now()
  child.kill('SIGTERM')
  const [status] = await once(child, 'close')
  const milliseconds = performance.now() - startedAt
  assert.equal(status, 143)
  assert.ok(milliseconds < AT_MOST_MS, `${Math.round(milliseconds)} ms`)
}

/** Expects an import to find the store free. */
async function isFree(folder: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const { status, stderr } = await pds(folder, ['import', 'vehicles', '-'], {
    input: HEADER + ROW,
    environment,
  })
  assert.equal(status, 0, stderr)
  assert.doesNotMatch(stderr, /waiting/)
}
