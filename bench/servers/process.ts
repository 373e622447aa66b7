import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A process that the bench started. */
export interface Started {
  readonly child: ChildProcess
  readonly pid: number
  /** The last part of its output. */
  output(): string
  /** Empties the file of its output, if it has one. */
  forgetOutput(): void
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** The cores that the process may use, in taskset's form; all if undefined. */
  readonly cores?: string | undefined
  readonly environment?: Readonly<Record<string, string>>
  /** Whether the bench can exchange messages with the process. */
  readonly talks?: boolean
  /** Whether standard output goes into a file, as an operator's log does. Otherwise the bench reads it through a pipe. */
  readonly logsToFile?: boolean
}

const running = new Set<ChildProcess>()
const OUTPUT_KEPT = 4000

// The processes always end with the bench.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts Node with the words of a command line. The environment has nothing except `environment`. */
export function startNode(words: readonly string[], options: StartOptions = {}): Started {
  const { cores, environment = {}, talks = false, logsToFile = false } = options
  const [command = '', ...rest] =
    cores === undefined ? [process.execPath, ...words] : ['taskset', '-c', cores, process.execPath, ...words]
  const log = logsToFile ? openNamelessFile() : undefined
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', log ?? 'pipe', 'pipe', ...(talks ? (['ipc'] as const) : [])],
    serialization: 'advanced',
  })
  running.add(child)
  const gone = once(child, 'close').finally(() => running.delete(child))
  gone.catch(() => {})
  let written = ''
  let stopped = false
  const output = () => readProc(process.pid, `fd/${log}`).slice(-OUTPUT_KEPT) + written
  // Reports the output now, because the next request would only report a broken connection.
  child.on('exit', (status, signal) => {
    if (!stopped && status !== 0)
      process.stderr.write(`${words.join(' ')} ended with ${status ?? signal}:\n${output()}\n`)
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      written = (written + chunk).slice(-OUTPUT_KEPT)
    })
  return {
    child,
    pid: child.pid ?? -1,
    output,
    forgetOutput() {
      if (log !== undefined) ftruncateSync(log)
    },
    async stop() {
      stopped = true
      child.kill('SIGKILL')
      await gone
      if (log !== undefined) closeSync(log)
    },
  }
}

/** Opens a temporary file for appending. Without a name, the file is gone once no process has it open. */
function openNamelessFile(): number {
  const path = join(tmpdir(), `pds-bench-log-${process.pid}`)
  const file = openSync(path, 'ax+')
  rmSync(path)
  return file
}

/** Runs Node to its end and returns the last part of its output. If Node fails, throws an error with this output. */
export async function runNode(words: readonly string[], options: StartOptions = {}): Promise<string> {
  const started = startNode(words, options)
  const [status] = await once(started.child, 'close')
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}:\n${started.output()}`)
  return started.output()
}

/**
 * Seconds of processor time (user and system) that the present threads of a process and of its descendants have used; NaN if
 * the platform does not report it. Linux counts in nanoseconds. The time of a waiting thread is exact, the time of a running thread is from the
 * last tick, a few milliseconds ago. /proc/<pid>/stat only counts in hundredths of a second.
 */
export function cpuSeconds(pid: number): number {
  const nanoseconds = familyOf(pid).flatMap(each =>
    threadsOf(each).map(thread => Number(readProc(each, `task/${thread}/schedstat`).split(' ')[0])),
  )
  // A kernel that does not count gives zeros.
  return nanoseconds.reduce((sum, used) => sum + used, 0) / 1e9 || Number.NaN
}

/**
 * Seconds of processor time that a process and its descendants have used since their start, with threads and children that
 * have ended; NaN if the platform does not report it. Linux counts this in hundredths of a second.
 */
export function cpuSecondsSinceStart(pid: number): number {
  const ticks = familyOf(pid).flatMap(each => {
    // The name of the program comes before, in brackets. Times of ended children are known once they are waited for.
    const times = readProc(each, 'stat')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 15)
    return times.map(Number)
  })
  return ticks.reduce((sum, used) => sum + used, 0) / 100 || Number.NaN
}

/** The direct children of a process, such as the workers of a service. */
export function childrenOf(pid: number): number[] {
  return threadsOf(pid)
    .flatMap(thread => readProc(pid, `task/${thread}/children`).match(/\d+/g) ?? [])
    .map(Number)
}

const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)]

const threadsOf = (pid: number) => (existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [])

/** Resident bytes of a process, now and at its peak; NaN if /proc does not report them. */
export function residentBytes(pid: number): { now: number; peak: number } {
  const status = readProc(pid, 'status')
  return { now: bytesOf(status, 'VmRSS'), peak: bytesOf(status, 'VmHWM') }
}

/** The memory of a process, with its share of memory that several processes use; NaN if /proc does not report it. */
export const proportionalBytes = (pid: number) => bytesOf(readProc(pid, 'smaps_rollup'), 'Pss')

const bytesOf = (text: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? Number.NaN) * 1024

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
