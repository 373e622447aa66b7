import { driveLoad } from '../load/load.ts'
import { playOnEach } from '../load/play.ts'
import { CONNECTIONS, type RoundOptions } from '../load/rounds.ts'
import { SCENARIOS } from '../load/scenarios.ts'
import { compareCosts, figuresOf } from '../report/measured.ts'
import type { Workers } from '../report/results.ts'
import { childrenOf, proportionalBytes } from '../servers/process.ts'
import { type ServiceOptions, startIdle } from '../servers/service.ts'
import { leastBytes } from './memory.ts'
import { requestsOf } from './stages.ts'

const COMPARED = ['vehicles first page', 'mix, cached', '304 vehicles']
/** How often each query of the mix is asked first, so that each worker has every answer in its cache. */
const EACH = 10

export interface WorkersOptions extends RoundOptions {
  readonly mix: readonly string[]
  /** The least time in which both services get the mix first. */
  readonly hotSeconds: number
  readonly settleSeconds: number
}

/** Compares a service of two workers with a service of one process: processor time of a request, and memory. */
export async function measureWorkers(service: ServiceOptions, options: WorkersOptions): Promise<Workers> {
  const { mix, hotSeconds, settleSeconds } = options
  const startWith = (count: string, name: string) =>
    startIdle({ ...service, name, settings: { ...service.settings, WORKERS: count } })
  const one = await startWith('1', 'one process')
  const two = await startWith('2', 'two workers')
  const pids = childrenOf(two.pid)
  if (pids.length !== 2) throw new Error(`a service with WORKERS=2 has ${pids.length} workers`)
  for (const target of [one, two])
    await driveLoad({
      ...{ port: target.port, requests: requestsOf(target, mix), warmSeconds: 0, seconds: hotSeconds },
      ...{ connections: CONNECTIONS, status: 200, leastAnswers: EACH * mix.length },
    })
  const costs: Workers['costs'][number][] = []
  for (const scenario of SCENARIOS.filter(({ name }) => COMPARED.includes(name))) {
    const [alone = [], both = []] = await playOnEach(scenario, [one, two], mix, options)
    const ratio = compareCosts(both, alone)
    costs.push({ name: scenario.name, one: figuresOf(alone), two: figuresOf(both), ratio })
  }
  const [primary = Number.NaN, ...workers] = await Promise.all(
    [two.pid, ...pids].map(pid => leastBytes(settleSeconds, () => proportionalBytes(pid))),
  )
  await Promise.all([one.stop(), two.stop()])
  return { costs, primary, workers }
}
