import { setTimeout as pause } from 'node:timers/promises'
import { ask } from '../load/answer.ts'
import type { Memory } from '../report/results.ts'
import { residentBytes } from '../servers/process.ts'
import { type ServiceOptions, startService } from '../servers/service.ts'

export interface MemoryOptions {
  readonly service: ServiceOptions
  /** A store that has all but vehicles. */
  readonly emptyStore: string
  readonly rows: number
  /** What is asked before memory is read, so that what is made on first use is counted. */
  readonly mix: readonly string[]
  readonly settleSeconds: number
}

/**
 * What the vehicles take: the resident memory of a service that has them, less that of one that has none. Both are asked
 * the same things and then left alone; the least that is seen counts, as garbage goes when V8 likes.
 */
export async function measureMemory(options: MemoryOptions): Promise<Memory> {
  const rest = await settled({ ...options.service, store: options.emptyStore, firstStatus: 503 }, options)
  const whole = await settled(options.service, options)
  return {
    total: whole.least,
    peak: whole.peak,
    rest: rest.least,
    bytesARow: (whole.least - rest.least) / options.rows,
  }
}

async function settled(service: ServiceOptions, { mix, settleSeconds }: MemoryOptions) {
  const started = await startService(service)
  for (const path of mix) await ask(started.port, { path })
  let least = Number.POSITIVE_INFINITY
  const deadline = performance.now() + settleSeconds * 1000
  while (performance.now() < deadline) {
    await pause(100)
    least = Math.min(least, residentBytes(started.pid).now)
  }
  const { peak } = residentBytes(started.pid)
  await started.stop()
  return { least, peak }
}
