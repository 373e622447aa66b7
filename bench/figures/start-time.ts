import type { Start } from '../report/results.ts'
import { median, spread } from '../report/statistics.ts'
import { untilIdle } from '../servers/idle.ts'
import { cpuSecondsSinceStart } from '../servers/process.ts'
import { type ServiceOptions, startService } from '../servers/service.ts'

/** Starts the service `times` times, one start after another, and leaves it alone each time until it is idle. */
export async function measureStart(options: ServiceOptions, times: number): Promise<Start> {
  const [took, toAnswer, toIdle]: [number[], number[], number[]] = [[], [], []]
  for (let i = 0; i < times; i++) {
    const service = await startService(options)
    const used = () => cpuSecondsSinceStart(service.pid)
    took.push(service.startedInMs)
    toAnswer.push(used())
    await untilIdle(options.name, used)
    toIdle.push(used())
    await service.stop()
  }
  return { times, answerMs: spread(took), cpuToAnswer: median(toAnswer), cpuToIdle: median(toIdle) }
}
