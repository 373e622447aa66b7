import { setTimeout as pause } from 'node:timers/promises'
import { requestBytes } from '../load/connection.ts'
import { CONNECTIONS } from '../load/rounds.ts'
import { type SteadyResult, startSteadyLoad } from '../load/steady-load.ts'
import type { HalfLoad } from '../report/results.ts'
import type { Target } from '../servers/service.ts'

/** How long answers to the uncached mix take at a rate of requests, compared with the bare server at the same rate. */
export async function measureHalfLoad(options: {
  readonly bare: Target
  readonly service: Target
  readonly mix: readonly string[]
  readonly perSecond: number
  readonly seconds: number
}): Promise<HalfLoad> {
  const { bare, service, mix, perSecond, seconds } = options
  const askSteadily = async (target: Target): Promise<SteadyResult> => {
    const load = startSteadyLoad({
      port: target.port,
      requests: mix.map(path => requestBytes(target.port, path)),
      connections: CONNECTIONS,
      rate: perSecond,
      status: 200,
    })
    await pause(seconds * 1000)
    const result = await load.stop()
    if (result.failed > 0)
      throw new Error(`${target.name}: ${result.failed} answers failed at half load: ${result.firstFailure}`)
    return result
  }
  const of = ({ p50Ms, p99Ms }: SteadyResult) => ({ p50Ms, p99Ms })
  return { perSecond, bare: of(await askSteadily(bare)), service: of(await askSteadily(service)) }
}
