import type { Start } from './results.ts'
import { type ServiceOptions, startService } from './service.ts'
import { median } from './statistics.ts'

/** Starts the service so many times, one after the other. */
export async function measureStart(options: ServiceOptions, times: number): Promise<Start> {
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const service = await startService(options)
    took.push(service.startedInMs)
    await service.stop()
  }
  return { best: Math.min(...took), median: median(took), times }
}
