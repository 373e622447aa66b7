import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Instance } from '../support/fleet.ts'
import { residentMb } from '../support/unread.ts'

const EVERY_MS = 1000

/** What a process has, one of these a second. */
interface Sample {
  readonly memoryMb: number
  readonly heapMb: number
  readonly descriptors: number
}

/** How much one thing of a process was in the second fifth of its time, and in the last. */
export interface Trend {
  readonly name: string
  readonly of: keyof Sample
  readonly from: number
  readonly to: number
  readonly isFlat: boolean
}

/**
 * What may come on top of a tenth before it counts as growth: loading a release beside the old one leaves memory with the
 * allocator. More for a process that has hardly warmed up.
 */
const TOLERANCE: Sample = { memoryMb: 60, heapMb: 20, descriptors: 20 }
const YOUNG: Sample = { memoryMb: 80, heapMb: 60, descriptors: 20 }
const YOUNG_SAMPLES = 300

/** Watches the processes of instances until it is stopped. */
export interface ProcessWatch {
  /** Processes that ended by themselves. */
  readonly ended: readonly string[]
  /** The longest that /livez took to answer, in milliseconds. */
  readonly slowestLivezMs: number
  /** Ends, and gives the trends of every process that was watched for half of the time or more. */
  stop(): Promise<Trend[]>
}

/** Starts to watch. */
export function watchProcesses(fleet: readonly Instance[]): ProcessWatch {
  const processes = new Map<number, { name: string; samples: Sample[] }>()
  const ended = new Set<string>()
  const begun = performance.now()
  let slowestLivezMs = 0
  let isOver = false

  async function look({ name, away, serving }: Instance): Promise<void> {
    if (away !== undefined) return
    const { child, admin, metrics } = serving()
    const { pid = 0 } = child
    if (child.exitCode !== null || child.signalCode !== null)
      ended.add(`${name} (${pid}) ended with ${child.exitCode ?? child.signalCode}`)
    try {
      const asked = performance.now()
      await admin('/livez')
      slowestLivezMs = Math.max(slowestLivezMs, performance.now() - asked)
      const heap = Number((await metrics()).get('nodejs_heap_size_used_bytes')) / 1024 / 1024
      const descriptors = (await readdir(`/proc/${pid}/fd`)).length
      const process = processes.get(pid) ?? { name, samples: [] }
      processes.set(pid, process)
      process.samples.push({ memoryMb: await residentMb({ child }), heapMb: heap, descriptors })
    } catch {
      // It may be ended by a fault at any moment; if not so, the next look says that it ended.
    }
  }

  const watching = (async () => {
    for (; !isOver; await pause(EVERY_MS)) await Promise.all(fleet.map(look))
  })()
  return {
    get ended() {
      return [...ended]
    },
    get slowestLivezMs() {
      return slowestLivezMs
    },
    async stop() {
      isOver = true
      await watching
      const half = (performance.now() - begun) / EVERY_MS / 2
      const long = [...processes.values()].filter(({ samples }) => samples.length >= half * 0.8)
      return long.flatMap(({ name, samples }) => KINDS.map(of => trend(name, of, samples)))
    },
  }
}

const KINDS = Object.keys(TOLERANCE) as (keyof Sample)[]

function trend(name: string, of: keyof Sample, samples: readonly Sample[]): Trend {
  const values = samples.map(sample => sample[of])
  const fifth = Math.ceil(values.length / 5)
  const [from, to] = [median(values.slice(fifth, 2 * fifth)), median(values.slice(-fifth))]
  const tolerance = values.length < YOUNG_SAMPLES ? YOUNG : TOLERANCE
  return { name, of, from, to, isFlat: to <= from * 1.1 + tolerance[of] }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
