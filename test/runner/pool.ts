import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What reporter.mjs tells of one test. */
export interface TestResult {
  readonly kind: 'test' | 'suite'
  readonly name: string
  /** 0 for the file itself, 1 for its tests, more for theirs. */
  readonly nesting: number
  readonly ms: number
  /** Why it was skipped. */
  readonly skip?: string
  /** What went wrong; empty where a subtest says it. */
  readonly failure?: string
}

/** What came of a test file. */
export interface FileResult {
  readonly file: string
  readonly ms: number
  /** Each after its subtests. */
  readonly tests: readonly TestResult[]
  /** Figures and seeds that its tests told. */
  readonly notes: readonly string[]
  /** Why the process could not go on with other files. */
  readonly broken?: string
}

export interface PoolOptions {
  /** How many processes run at a time. */
  readonly processes: number
  /** Whether a file gets a process that runs no other file. */
  readonly runsAlone: (file: string) => boolean
  readonly onResult: (result: FileResult) => void
}

/** A test that fails with a connection open may keep its file from ending: the run says so rather than wait for ever. */
const SILENCE_MS = 10 * 60_000

/** Sent in place of a file. */
const AFTER_THE_LAST = ''

/** Tests make much that is soon garbage: a seventh of their time went into collecting it. Files that measure do without. */
const ROOM_FOR_GARBAGE = '--max-semi-space-size=64'

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
const EXEC_ARGV = [
  ...['--import', new URL('../support/typescript.mjs', import.meta.url).href],
  ...['--test-reporter', new URL('reporter.mjs', import.meta.url).href],
]

/** Runs test files in a few processes, each of which takes the next file when it is done with one. */
export async function runInPool(files: readonly string[], options: PoolOptions): Promise<void> {
  const { processes, runsAlone, onResult } = options
  const queue = [...files]
  async function work(): Promise<void> {
    let shared: Worker | undefined
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const alone = runsAlone(file)
      const worker: Worker = (alone ? undefined : shared) ?? startWorker(alone ? [] : [ROOM_FOR_GARBAGE])
      const result = await worker.run(file)
      onResult(result)
      const isBroken = result.broken !== undefined
      if (!alone) shared = isBroken ? undefined : worker
      else if (!isBroken) await endWorker(worker, file)
    }
    if (shared !== undefined) await endWorker(shared, 'a process of several files')
  }
  async function endWorker(worker: Worker, file: string): Promise<void> {
    const broken = await worker.end()
    if (broken !== undefined) onResult({ file, ms: 0, tests: [], notes: [], broken })
  }
  await Promise.all(Array.from({ length: processes }, work))
}

interface Worker {
  /** Runs a file, when the one before has ended. */
  run(file: string): Promise<FileResult>
  /** Lets the process end, and says what was wrong with its end. */
  end(): Promise<string | undefined>
}

type Message =
  | TestResult
  | { readonly kind: 'note'; readonly message: string; readonly nesting: number }
  | { readonly kind: 'left open'; readonly message: string }
  | { readonly kind: 'uncaught'; readonly message: string }

function startWorker(flags: readonly string[]): Worker {
  const child = fork(WORKER, { execArgv: [...EXEC_ARGV, ...flags] })
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let onMessage = (_: Message) => {}
  child.on('message', (message: Message) => onMessage(message))
  let failures = 0
  return {
    async run(file) {
      const began = performance.now()
      const tests: TestResult[] = []
      const notes: string[] = []
      let broken: string | undefined
      const silence = setTimeout(() => {
        broken = `no test ended for ${SILENCE_MS / 60_000} minutes`
        kill()
      }, SILENCE_MS)
      const done = new Promise<void>(resolve => {
        onMessage = message => {
          silence.refresh()
          if (message.kind === 'left open') return
          if (message.kind === 'uncaught') {
            broken = `an error that no test caught: ${message.message}`
            return void kill()
          }
          if (message.kind === 'note') {
            if (message.nesting > 0) notes.push(message.message)
            return
          }
          tests.push(message)
          if (message.failure !== undefined) failures++
          if (message.nesting === 0 && message.name === file) resolve()
        }
      })
      child.send(file)
      const ended = exited.then(([status, signal]) => {
        broken ??= `the process ended with ${signal ?? status}`
      })
      await Promise.race([done, ended])
      clearTimeout(silence)
      const result = { file, ms: performance.now() - began, tests, notes }
      return broken === undefined ? result : { ...result, broken }
    },
    async end() {
      let leftOpen: string | undefined
      onMessage = message => {
        if (message.kind === 'left open') leftOpen = message.message
      }
      if (child.connected) child.send(AFTER_THE_LAST)
      const [status, signal] = await exited
      if (leftOpen !== undefined) return leftOpen
      // A failed test ends its process with 1; it has been told already.
      return signal === null && (status === 0 || failures > 0)
        ? undefined
        : `the process ended with ${signal ?? status} after its last test`
    },
  }
}
