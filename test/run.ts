import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type FileResult, runInPool, type TestResult } from './runner/pool.ts'

/*
 * Runs the tests whose paths start with one of the arguments. Without any it runs the quick ones: it leaves out the folders that
 * take minutes, and PostgreSQL. `--postgres` runs those of the quick files that use PostgreSQL, with it. `--names` prints the
 * name and time of each test. Several files share a process, one after another. At the end it names the files that took longest,
 * why tests were skipped, and each failure with the command that repeats it.
 */

/** Files that measure what the machine can bear have it to themselves. */
const HEAVY = join('test', 'heavy')
/** Files whose load is light, and which wait for servers most of the time: one for each core. */
const WAITING = ['scale', 'soak'].map(folder => join('test', folder))
const LONG = [
  ...[HEAVY, ...WAITING],
  ...['browser', 'fuzz', 'operations', 'real-data', 'supply-chain'].map(folder => join('test', folder)),
]
/** Where PostgreSQL is missing, these run their tests on SQLite alone. */
const ON_EVERY_ENGINE = /\/store-engines\.ts'/
const USES_POSTGRES = /\/(?:citus|postgres|standby|store-engines)\.ts'/
/** A file says so, with its reason, where other files in its process would disturb it or be disturbed. */
const OWN_PROCESS = /^\/\* A process of its own: /m
const SLOWEST = 10
const OPTIONS = ['--names', '--postgres']

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 2 ** 30

const startsWithOneOf = (starts: readonly string[], file: string) =>
  starts.some(start => file.startsWith(start))
const contains = (file: string, pattern: RegExp) => pattern.test(readFileSync(file, 'utf8'))
const isHeavy = (file: string) => file.startsWith(HEAVY)
const isWaiting = (file: string) => startsWithOneOf(WAITING, file)
const isLong = (file: string) => startsWithOneOf(LONG, file)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const all = ['src', 'demo', 'test', 'bench'].flatMap(root =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts'))
    .map(file => join(root, file)),
)
const given = process.argv.slice(2)
const wanted = given.filter(word => !word.startsWith('--')).map(start => join(start))
const onPostgres = given.includes('--postgres')
const unknown = given.find(word => word.startsWith('--') && !OPTIONS.includes(word))
if (unknown !== undefined) {
  console.error(`unknown option ${unknown}: there are ${OPTIONS.join(' and ')}`)
  process.exit(2)
}
if (wanted.length === 0 && !onPostgres) process.env.PDS_TEST_POSTGRES = 'false'
// Loaded here, since it reads what was just set.
const { NO_POSTGRES, postgresFolder } = await import('./support/postgres-programs.ts')
// Those of test/ take longest. They begin, so that no process waits for one of them at the end; else as the arguments say.
const startOf = (file: string) => wanted.findIndex(start => file.startsWith(start))
const files = all
  .filter(file => (wanted.length > 0 ? startOf(file) >= 0 : !isLong(file)))
  .filter(file => !onPostgres || contains(file, USES_POSTGRES))
  .sort()
  .reverse()
  .sort((one, other) => startOf(one) - startOf(other))
if (files.length === 0) {
  console.error(`no test file starts with ${wanted.join(' or ')}`)
  process.exit(2)
}

// Tests that start the command start what users get.
if (process.env.PDS_TEST_BUILT === undefined)
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' })
process.env.PDS_TEST_BUILT = 'true'
// From Node 22 on compiled code is kept from process to process.
process.env.NODE_COMPILE_CACHE ??= join(process.cwd(), 'node_modules/.cache/compiled')

if (!files.some(isLong)) keepFilesInMemory()

// An exit ends the processes and removes their files; a signal alone does not.
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(status))

const results: FileResult[] = []
const began = performance.now()
// One more than there are cores: many files wait for a process, a timeout or a server as often as they compute. With two more,
// a server on a machine of two cores does not keep its bounds of time.
const cores = availableParallelism()
const processes = files.some(isHeavy) ? 1 : files.some(isWaiting) ? cores : cores + 1
await runInPool(files, {
  processes,
  runsAlone: file => isHeavy(file) || isWaiting(file) || contains(file, OWN_PROCESS),
  onResult(result) {
    results.push(result)
    const { file, ms, notes, tests } = result
    const mark = failuresOf(result).length > 0 ? '✖' : '✔'
    console.log(`${mark} ${file}: ${tests.filter(isTest).length} tests, ${seconds(ms)}`)
    if (given.includes('--names'))
      for (const { path, ms } of named(tests)) console.log(`  ${seconds(ms)} ${path}`)
    for (const note of notes) console.log(`    ${note}`)
  },
})
summarise()

/** Each database of a test is up to 300 files: in memory, tests of the store take a sixth less processor time. */
function keepFilesInMemory(): void {
  if (!existsSync(MEMORY)) return
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < ENOUGH_BYTES) return
  const folder = mkdtempSync(join(MEMORY, 'pds-tests-'))
  // The user of PostgreSQL reaches its folder through this one.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}

/** A file is the suite at the top. */
function isTest({ kind, nesting }: TestResult): boolean {
  return kind === 'test' && nesting > 0
}

/** The tests of a file with their names within it, those of the tests around them first. */
function named(tests: readonly TestResult[]): (TestResult & { path: string })[] {
  const around: string[] = []
  // A test comes after its subtests, so from the end each comes before them.
  const fromTheEnd = tests.toReversed().map(test => {
    around.length = test.nesting
    around[test.nesting] = test.name
    return Object.assign({ path: around.slice(1).join(' > ') }, test)
  })
  return fromTheEnd.reverse().filter(({ nesting }) => nesting > 0)
}

/** What failed in a file: its name within the file, and why. */
function failuresOf({ tests, broken }: FileResult): { path: string; failure: string }[] {
  const failures = named(tests).flatMap(({ path, failure }) => (failure ? { path, failure } : []))
  const file = tests.find(({ nesting, failure }) => nesting === 0 && failure)?.failure
  return [
    ...failures,
    ...[file, broken].flatMap(failure => (failure === undefined ? [] : { path: '', failure })),
  ]
}

function summarise(): void {
  const tests = results.flatMap(({ tests }) => tests.filter(isTest))
  const slowest = results.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST)
  console.log(`\nSlowest files:\n${slowest.map(({ file, ms }) => `  ${seconds(ms)} ${file}`).join('\n')}`)

  const skipped = new Map<string, number>()
  for (const { skip } of tests) if (skip !== undefined) skipped.set(skip, (skipped.get(skip) ?? 0) + 1)
  const left = [...skipped].map(([reason, count]) => `${count} tests: ${reason}`)
  const halves = postgresFolder() === undefined ? files.filter(file => contains(file, ON_EVERY_ENGINE)) : []
  if (halves.length > 0) left.push(`${halves.length} files ran on SQLite alone: ${NO_POSTGRES}`)
  if (left.length > 0) console.log(`\nSkipped, and what would let them run:\n  ${left.join('\n  ')}`)

  const failed = results.filter(result => failuresOf(result).length > 0)
  if (failed.length > 0) console.log('\nFailed:')
  for (const result of failed) {
    console.log(`\n✖ ${result.file}; to repeat it: npm test -- ${result.file} (Node ${process.version})`)
    for (const { path, failure } of failuresOf(result))
      console.log(`  ${[path, failure].join('\n').trim().replaceAll('\n', '\n    ')}`)
  }
  const count = (kind: (test: TestResult) => boolean) => tests.filter(kind).length
  const failures = count(({ failure }) => failure !== undefined)
  const skips = count(({ skip }) => skip !== undefined)
  console.log(`\n${results.length} files in ${seconds(performance.now() - began)}, Node ${process.version}`)
  console.log(
    `${tests.length - failures - skips} passed, ${Math.max(failures, failed.length)} failed, ${skips} skipped`,
  )
  if (failed.length > 0) process.exitCode = 1
}
