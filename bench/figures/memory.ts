import { setTimeout as pause } from 'node:timers/promises'
import { ask } from '../load/answer.ts'
import type { Memory } from '../report/results.ts'
import { residentBytes } from '../servers/process.ts'
import { type ServiceOptions, startService } from '../servers/service.ts'

export interface MemoryOptions {
  readonly service: ServiceOptions
  /** A store with everything except vehicles. */
  readonly emptyStore: string
  readonly rows: number
  /** Requests before memory is read, so that memory allocated on first use counts. */
  readonly mix: readonly string[]
  readonly settleSeconds: number
}

/**
 * The memory of the vehicles: the resident memory of a service with vehicles, less the memory of a service without. Both
 * get the same requests and are then left idle. The least value counts, because V8 collects garbage at any time.
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
  const least = await leastBytes(settleSeconds, () => residentBytes(started.pid).now)
  const { peak } = residentBytes(started.pid)
  await started.stop()
  return { least, peak }
}

/** The least memory while a service settles. */
export async function leastBytes(settleSeconds: number, read: () => number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  const deadline = performance.now() + settleSeconds * 1000
  while (performance.now() < deadline) {
    await pause(100)
    least = Math.min(least, read())
  }
  return least
}
