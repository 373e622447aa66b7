import type { Flags } from '../flags.ts'
import { ask } from '../load/answer.ts'
import { requestBytes } from '../load/connection.ts'
import { play } from '../load/play.ts'
import { measure } from '../load/rounds.ts'
import { SCENARIOS } from '../load/scenarios.ts'
import type { Measured } from '../report/measured.ts'
import { type Bare, startBare } from '../servers/bare.ts'
import type { Cores } from '../servers/machine.ts'
import { type Service, startIdle } from '../servers/service.ts'
import type { ServiceSettings } from '../servers/service-settings.ts'

/** The common values of the measurements at one number of vehicles. */
export interface Stage {
  readonly flags: Flags
  readonly rows: number
  readonly cores: Cores | undefined
  readonly mix: readonly string[]
  readonly settings: ServiceSettings
  readonly isWanted: (name: string) => boolean
  readonly tell: (line: string) => void
}

/** More than enough for code to get hot. */
export const HOT_SECONDS = { quick: 0.5, full: 2 }

/** The wanted scenarios, one service after another. Beyond the rate limit, every answer is 429. */
export async function measureScenarios(stage: Stage): Promise<Measured[]> {
  const { flags, cores, mix, settings, isWanted, tell } = stage
  const rounds = { rounds: flags.rounds, seconds: flags.seconds, warmSeconds: flags.seconds / 4 }
  const bare = await startBare(cores?.server)
  const measured: Measured[] = []
  for (const kind of ['memory', 'unlogged', 'limited', 'memoryUncached'] as const) {
    const scenarios = SCENARIOS.filter(({ service, name }) => service === kind && isWanted(name))
    if (scenarios.length === 0) continue
    const service = await startIdle(settings[kind])
    await heat(stage, bare, service, kind === 'limited' ? 429 : 200)
    // Fills the cache with every answer of the mix.
    for (const path of mix) await ask(service.port, { path })
    for (const [i, scenario] of scenarios.entries()) {
      tell(`${scenario.name} (${i + 1} of ${scenarios.length})`)
      measured.push(await play(scenario, { bare, service, mix }, rounds))
    }
    await service.stop()
  }
  await bare.stop()
  return measured
}

/** Lets both servers run until their code is compiled. */
async function heat({ flags, mix }: Stage, bare: Bare, service: Service, status: number): Promise<void> {
  const seconds = HOT_SECONDS[flags.quick ? 'quick' : 'full']
  await measure({ target: service, requests: requestsOf(service, mix), status }, seconds, 0)
  await bare.answerWith({ status: 200, headers: ['content-length', '1'], body: Buffer.from('x') })
  await measure({ target: bare, requests: requestsOf(bare, ['/']), status: 200 }, seconds, 0)
}

/** Answers to the mix a second, if the scenario itself was not wanted. */
export async function peakOf(service: Service, mix: readonly string[]): Promise<number> {
  const asked = { target: service, requests: requestsOf(service, mix), status: 200 }
  return (await measure(asked, 1, 0.5)).perSecond
}

export const requestsOf = ({ port }: { port: number }, paths: readonly string[]) =>
  paths.map(path => requestBytes(port, path))
