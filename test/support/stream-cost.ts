import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Collection } from '../../src/query/collection.ts'
import type { Query } from '../../src/query/query.ts'

const MAX_MB = 30
const TICK_MS = 2

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const residentMb = () =>
  (Number(/\d+/.exec(/VmRSS:.*/.exec(readFileSync('/proc/self/status', 'utf8'))?.[0] ?? '')?.[0]) || 0) / 1024

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** What a stream cost the process. */
export interface StreamCost {
  readonly rows: number
  /**
   * How much later than planned other work ran, in milliseconds: 99 % of it by no more. Only while this process was
   * computing, so that other programs on the machine do not count.
   */
  readonly delayP99Ms: number
}

/** Reads a stream, fails if memory rises by more than 30 MB above idle, and reports what it cost. */
export async function measureStream(
  t: TestContext,
  name: string,
  stream: () => Promise<number>,
): Promise<StreamCost> {
  for (let i = 0; i < 3; i++) {
    collectGarbage()
    await nextTurn()
  }
  const idle = residentMb()
  let peak = idle
  const delays: number[] = []
  let due = performance.now() + TICK_MS
  let busyMs = cpuMs()
  const timer = setInterval(() => {
    const [now, busyUntil] = [performance.now(), cpuMs()]
    delays.push(Math.max(0, Math.min(now - due, busyUntil - busyMs)))
    due = now + TICK_MS
    busyMs = busyUntil
    peak = Math.max(peak, residentMb())
  }, TICK_MS)
  const start = performance.now()
  const rows = await stream()
  const ms = performance.now() - start
  clearInterval(timer)
  delays.sort((one, other) => one - other)
  const delayP99Ms = delays[Math.floor(delays.length * 0.99)] ?? Number.NaN
  t.diagnostic(
    `${name}: ${rows} rows in ${ms.toFixed(0)} ms; memory +${(peak - idle).toFixed(1)} MB; other work late by ${delayP99Ms.toFixed(1)} ms (p99), ${delays.at(-1)?.toFixed(1)} ms at most`,
  )
  assert.ok(peak - idle <= MAX_MB, `${name}: ${(peak - idle).toFixed(1)} MB above idle`)
  return { rows, delayP99Ms }
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
