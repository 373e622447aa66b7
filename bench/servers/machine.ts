import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** The machine that the figures come from. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly node: string
  readonly system: string
  readonly date: string
  /** Whether the server under test has a core to itself, and the load another core. */
  readonly pinned: boolean
}

/** Lists of cores in taskset's form. */
export interface Cores {
  readonly server: string
  readonly load: string
  readonly all: string
}

/** Describes this machine. */
export function describeMachine(cores: Cores | undefined): Machine {
  const all = cpus()
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    date: new Date().toISOString().slice(0, 10),
    pinned: cores !== undefined,
  }
}

/** A core for the server and another for the load; undefined without taskset or with a single core. */
export function findCores(): Cores | undefined {
  if (process.platform !== 'linux') return undefined
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined
  const status = readFileSync('/proc/self/status', 'utf8')
  const all = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? ''
  const numbers = coreNumbers(all)
  // The last cores, because the first core of a machine has most of the interrupts.
  const [load, server] = numbers.slice(-2)
  return load === undefined || server === undefined
    ? undefined
    : { load: String(load), server: String(server), all }
}

/** The numbers in a list of cores such as `0-2,5`. */
export function coreNumbers(list: string): number[] {
  return list.split(',').flatMap(range => {
    const [from, to = from] = range.split('-').map(text => Number(text || Number.NaN))
    if (from === undefined || to === undefined || Number.isNaN(from + to)) return []
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })
}

/** Keeps this process, which is the load, on the load's core. */
export function pinLoad(cores: Cores | undefined): void {
  if (cores !== undefined) pin(process.pid, cores.load)
}

/** Keeps a process, with all its threads, on some cores. */
export function pin(pid: number, cores: string): void {
  spawnSync('taskset', ['-a', '-p', '-c', cores, String(pid)])
}
