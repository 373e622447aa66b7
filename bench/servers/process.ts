import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A process that the bench started. */
export interface Started {
  readonly child: ChildProcess
  readonly pid: number
  /** The end of what it has written. */
  output(): string
  /** Ends it and waits until it is gone. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** The cores that it may use, as taskset takes them; any where it is not given. */
  readonly cores?: string | undefined
  readonly environment?: Readonly<Record<string, string>>
  /** Whether messages can be exchanged with it. */
  readonly talks?: boolean
}

const running = new Set<ChildProcess>()
const OUTPUT_KEPT = 4000

// However the bench ends, what it started ends too.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts Node on some words of a command line, in an environment of nothing but what is given. */
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
  // Whoever talks to it next is told of a broken connection only.
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

/** Runs Node to its end and gives the end of what it wrote. Throws with that if it fails. */
export async function runNode(words: readonly string[], options: StartOptions = {}): Promise<string> {
  const started = startNode(words, options)
  const [status] = await once(started.child, 'close')
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}:\n${started.output()}`)
  return started.output()
}

/**
 * Seconds of processor time (user and system) that the present threads of a process have used; NaN where the platform
 * does not tell. Linux counts it in nanoseconds, exactly for a thread that waits; for one that runs, as of the last tick,
 * a few milliseconds ago. /proc/<pid>/stat counts in hundredths of a second.
 */
export function cpuSeconds(pid: number): number {
  if (!existsSync(`/proc/${pid}/task`)) return Number.NaN
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map(thread =>
    Number(readProc(pid, `task/${thread}/schedstat`).split(' ')[0]),
  )
  // A kernel that does not count gives zeros.
  return nanoseconds.reduce((sum, used) => sum + used, 0) / 1e9 || Number.NaN
}

/** Bytes of memory that a process has resident, now and at its peak; NaN where /proc does not tell. */
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
