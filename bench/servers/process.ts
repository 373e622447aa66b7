import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A process that the bench started. */
export interface Started {
  readonly child: ChildProcess
  readonly pid: number
  /** The last part of its output. */
  output(): string
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** The cores that the process may use, in taskset's form; all if undefined. */
  readonly cores?: string | undefined
  readonly environment?: Readonly<Record<string, string>>
  /** Whether the bench can exchange messages with the process. */
  readonly talks?: boolean
}

const running = new Set<ChildProcess>()
const OUTPUT_KEPT = 4000

// The processes always end with the bench.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts Node with the words of a command line. The environment has nothing except `environment`. */
export function startNode(words: readonly string[], options: StartOptions = {}): Started {
  const { cores, environment = {}, talks = false } = options
  const [command = '', ...rest] =
    cores === undefined ? [process.execPath, ...words] : ['taskset', '-c', cores, process.execPath, ...words]
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(talks ? (['ipc'] as const) : [])],
    serialization: 'advanced',
  })
  running.add(child)
  const gone = once(child, 'close').finally(() => running.delete(child))
  gone.catch(() => {})
  let written = ''
  let stopped = false
  // Reports the output now, because the next request would only report a broken connection.
  child.on('exit', (status, signal) => {
    if (!stopped && status !== 0)
      process.stderr.write(`${words.join(' ')} ended with ${status ?? signal}:\n${written}\n`)
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      written = (written + chunk).slice(-OUTPUT_KEPT)
    })
  return {
    child,
    pid: child.pid ?? -1,
    output: () => written,
    async stop() {
      stopped = true
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Runs Node to its end and returns the last part of its output. If Node fails, throws an error with this output. */
export async function runNode(words: readonly string[], options: StartOptions = {}): Promise<string> {
  const started = startNode(words, options)
  const [status] = await once(started.child, 'close')
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}:\n${started.output()}`)
  return started.output()
}

/**
 * Seconds of processor time (user and system) that the present threads of a process have used; NaN if the platform does not
 * report it. Linux counts in nanoseconds. The time of a waiting thread is exact, the time of a running thread is from the
 * last tick, a few milliseconds ago. /proc/<pid>/stat only counts in hundredths of a second.
 */
export function cpuSeconds(pid: number): number {
  if (!existsSync(`/proc/${pid}/task`)) return Number.NaN
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map(thread =>
    Number(readProc(pid, `task/${thread}/schedstat`).split(' ')[0]),
  )
  // A kernel that does not count gives zeros.
  return nanoseconds.reduce((sum, used) => sum + used, 0) / 1e9 || Number.NaN
}

/** Resident bytes of a process, now and at its peak; NaN if /proc does not report them. */
export function residentBytes(pid: number): { now: number; peak: number } {
  const status = readProc(pid, 'status')
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
