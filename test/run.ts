import { execFileSync } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/*
 * Runs the tests whose paths start with one of the arguments; without any, all but those that take minutes.
 * At the end it names the files that took longest, and every test that was skipped with its reason: what a machine lacks
 * is said, never passed over. With PDS_TEST_RETRY=true a file that failed runs once more, alone: a machine that is busy
 * with other files may keep a process waiting longer than any test allows for. What failed at first is still reported.
 */

/** They measure as well, so each has the machine to itself. */
const MEASURING = ['heavy', 'scale', 'soak'].map(folder => join('test', folder))
const LONG = [
  ...MEASURING,
  ...['browser', 'fuzz', 'operations', 'supply-chain'].map(folder => join('test', folder)),
]
const startsWithOneOf = (starts: readonly string[], file: string) =>
  starts.some(start => file.startsWith(start))

const SLOWEST = 25

/** A test that fails with a connection open keeps its file from ending: the run says so rather than wait for ever. */
const SILENCE_MS = 10 * 60_000

const all = ['src', 'test', 'bench'].flatMap(root =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts'))
    .map(file => join(root, file)),
)
const wanted = process.argv.slice(2).map(start => join(start))
const files = all.filter(file =>
  wanted.length > 0 ? startsWithOneOf(wanted, file) : !startsWithOneOf(LONG, file),
)
if (files.length === 0) throw new Error(`no test file starts with ${wanted.join(' or ')}`)

// Tests that start the command start what users get.
if (process.env.PDS_TEST_BUILT === undefined)
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' })
process.env.PDS_TEST_BUILT = 'true'
// From Node 22 on: hundreds of files load the same modules, and compiling them takes half of the time.
process.env.NODE_COMPILE_CACHE ??= join(process.cwd(), 'node_modules/.cache/compiled')

const skipped: string[] = []
const msByFile = new Map<string, number>()

/** Runs test files, reports on standard output, and gives those that failed. */
async function runFiles(files: readonly string[], concurrency: number) {
  const failed: string[] = []
  const underWay = new Set<string>()
  const silence = new AbortController()
  // Each file under way listens to it.
  setMaxListeners(0, silence.signal)
  const stream = run({ files: [...files], concurrency, signal: silence.signal })
  const watchdog = setTimeout(() => {
    console.log(`\nno test ended for ${SILENCE_MS / 60_000} minutes; under way: ${[...underWay].join(', ')}`)
    process.exitCode = 1
    silence.abort()
  }, SILENCE_MS)
  stream.on('test:dequeue', ({ name, nesting }) => void (nesting === 0 && underWay.add(name)))
  stream.on('test:complete', ({ name, nesting, file = '', details }) => {
    watchdog.refresh()
    if (nesting > 0) return
    underWay.delete(name)
    // A file is a test itself, with the name of its path.
    if (!file.endsWith(name)) return
    msByFile.set(name, details.duration_ms)
    if (!details.passed) failed.push(name)
  })
  stream.on('test:pass', ({ name, skip }) => {
    if (skip !== undefined && skip !== false)
      skipped.push(`  ${name}: ${skip === true ? 'no reason given' : skip}`)
  })
  stream.on('end', () => clearTimeout(watchdog))
  const report = stream.compose(new spec())
  report.pipe(process.stdout)
  await once(report, 'end')
  return failed
}

// One more than there are cores: many files wait for a process, a timeout or a server as often as they compute.
const concurrency = files.some(file => startsWithOneOf(MEASURING, file)) ? 1 : availableParallelism() + 1
let failed = await runFiles(files.sort(), concurrency)
if (failed.length > 0 && process.env.PDS_TEST_RETRY === 'true') {
  console.log(`\nOnce more, alone: ${failed.join(', ')}\n`)
  failed = await runFiles(failed, 1)
}
if (failed.length > 0) process.exitCode = 1
process.on('exit', () => {
  const slowest = [...msByFile].sort(([, one], [, other]) => other - one).slice(0, SLOWEST)
  const lines = slowest.map(([file, ms]) => `  ${(ms / 1000).toFixed(1)} s ${file}`)
  console.log(`\nSlowest files:\n${lines.join('\n')}`)
  if (skipped.length > 0) console.log(`\nSkipped, and what would let them run:\n${skipped.join('\n')}`)
})
