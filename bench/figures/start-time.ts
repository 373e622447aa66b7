import type { Start } from '../report/results.ts'
import { median } from '../report/statistics.ts'
import { type ServiceOptions, startService } from '../servers/service.ts'

/** Starts the service `times` times, one start after another. */
export async function measureStart(options: ServiceOptions, times: number): Promise<Start> {
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const service = await startService(options)
    took.push(service.startedInMs)
    await service.stop()
  }
  return { best: Math.min(...took), median: median(took), times }
}
