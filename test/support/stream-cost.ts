import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Collection, Query } from '../../src/query/query.ts'

const MAX_MB = 30
const TICK_MS = 2

setFlagsFromString('--expose-gc')
const collectGarbage: (options?: { type: 'minor' }) => void = runInNewContext('gc')

/** The memory of a process, by its id. */
const residentMb = (pid: number): number =>
  (Number(/\d+/.exec(/VmRSS:.*/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[0] ?? '')?.[0]) || 0) /
  1024

/** The process that streams, and what else it has to do. */
export interface StreamingProcess {
  readonly pid: number
  /** What is to be done for its memory to be that of an idle process. */
  rest(): Promise<void>
  /** Frees the buffers that are no longer used: V8 leaves up to 40 MB of them, which no stream holds. */
  sweep?(): void
  /** Has it do other work, until the function that is returned is called; that gives the milliseconds by which each piece was late. */
  watchOthers(): () => readonly number[] | Promise<readonly number[]>
}

/** This process, which has a timer to serve besides. */
export const thisProcess: StreamingProcess = {
  pid: process.pid,
  async rest() {
    for (let i = 0; i < 3; i++) {
      collectGarbage()
      await nextTurn()
    }
  },
  watchOthers() {
    const delays: number[] = []
    let due = performance.now() + TICK_MS
    let busyMs = cpuMs()
    const timer = setInterval(() => {
      const [now, busyUntil] = [performance.now(), cpuMs()]
      // Only while this process was computing, so that other programs on the machine do not count.
      delays.push(Math.max(0, Math.min(now - due, busyUntil - busyMs)))
      due = now + TICK_MS
      busyMs = busyUntil
    }, TICK_MS)
    return () => {
      clearInterval(timer)
      return delays
    }
  },
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * The same process where streams are of buffers alone. Where they make many objects, sweeping this often would keep them:
 * V8 takes what survives twice for long-lived.
 */
export const thisSweptProcess: StreamingProcess = {
  ...thisProcess,
  sweep: () => collectGarbage({ type: 'minor' }),
}

/** What a stream cost the process. */
export interface StreamCost {
  readonly rows: number
  /** How much later than planned other work ran, in milliseconds: 99 % of it by no more. */
  readonly delayP99Ms: number
}

/**
 * Reads a stream, fails if memory rises by more than 30 MB above idle, and reports what it cost. A stream that seems to take more
 * is read again: what it holds it takes each time, but not the garbage that V8 has left.
 */
export async function measureStream(
  t: TestContext,
  name: string,
  stream: () => Promise<number>,
  watched: StreamingProcess = thisProcess,
): Promise<StreamCost> {
  let cost = await measureOnce(t, name, stream, watched)
  if (cost.moreMb > MAX_MB) cost = await measureOnce(t, `${name}, again`, stream, watched)
  assert.ok(cost.moreMb <= MAX_MB, `${name}: ${cost.moreMb.toFixed(1)} MB above idle`)
  return cost
}

async function measureOnce(
  t: TestContext,
  name: string,
  stream: () => Promise<number>,
  { pid, rest, sweep, watchOthers }: StreamingProcess,
): Promise<StreamCost & { moreMb: number }> {
  await rest()
  const idle = residentMb(pid)
  let peak = idle
  const sampling = setInterval(() => {
    sweep?.()
    peak = Math.max(peak, residentMb(pid))
  }, TICK_MS)
  const stopWatching = watchOthers()
  const start = performance.now()
  const rows = await stream()
  const ms = performance.now() - start
  const delays = (await stopWatching()).toSorted((one, other) => one - other)
  clearInterval(sampling)
  const delayP99Ms = delays[Math.floor(delays.length * 0.99)] ?? Number.NaN
  const moreMb = peak - idle
  t.diagnostic(
    `${name}: ${rows} rows in ${ms.toFixed(0)} ms; memory +${moreMb.toFixed(1)} MB; other work late by ${delayP99Ms.toFixed(1)} ms (p99), ${delays.at(-1)?.toFixed(1)} ms at most`,
  )
  return { rows, delayP99Ms, moreMb }
}

/** Reads a result to its end, as a response does that its client reads at full speed. */
export async function readToEnd(table: Collection, query: Query, form: 'json' | 'records'): Promise<number> {
  const result = await table.execute(query)
  let rows = 0
  for await (const batch of result.batches()) {
    assert.ok(batch[form]().length > 0)
    rows += batch.length
    await nextTurn()
  }
  return rows
}
