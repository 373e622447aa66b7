import type { Flags } from '../flags.ts'
import { ask } from '../load/answer.ts'
import { requestBytes } from '../load/connection.ts'
import { play } from '../load/play.ts'
import { measure } from '../load/rounds.ts'
import { MIX_UNCACHED, type Scenario } from '../load/scenarios.ts'
import type { Measured } from '../report/measured.ts'
import type { HalfLoad } from '../report/results.ts'
import type { Bare } from '../servers/bare.ts'
import { type Service, startIdle } from '../servers/service.ts'
import type { ServiceSettings } from '../servers/service-settings.ts'
import { measureHalfLoad } from './half-load.ts'

/** The common values of a run's stages. */
export interface Stage {
  readonly flags: Flags
  readonly bare: Bare
  readonly mix: readonly string[]
  readonly settings: ServiceSettings
  readonly scenarios: readonly Scenario[]
  readonly wantsHalfLoad: boolean
  readonly tell: (line: string) => void
}

/** More than enough for code to get hot. */
const HOT_SECONDS = { quick: 0.5, full: 2 }
const HALF_LOAD_SECONDS = { quick: 2, full: 10 }

/** The scenarios of a service with the cache of answers: within the rate limit, or beyond the limit, where every answer is 429. */
export async function measureCached(stage: Stage, name: 'memory' | 'limited'): Promise<Measured[]> {
  const scenarios = scenariosOf(stage, name)
  if (scenarios.length === 0) return []
  const service = await startIdle(stage.settings[name])
  await heat(stage, service, name === 'limited' ? 429 : 200)
  // Fills the cache with every answer of the mix.
  for (const path of stage.mix) await ask(service.port, { path })
  const measured = await playAll(stage, scenarios, service)
  await service.stop()
  return measured
}

const scenariosOf = ({ scenarios }: Stage, name: Scenario['service']) =>
  scenarios.filter(({ service }) => service === name)

/** The scenarios without the cache, and then half of the load that the mix reached. */
export async function measureUncached(
  stage: Stage,
): Promise<{ uncached: Measured[]; halfLoad: HalfLoad | null; peakPerSecond: number | undefined }> {
  const { bare, mix, settings, flags, wantsHalfLoad, tell } = stage
  const scenarios = scenariosOf(stage, 'memoryUncached')
  if (scenarios.length === 0 && !wantsHalfLoad)
    return { uncached: [], halfLoad: null, peakPerSecond: undefined }
  const service = await startIdle(settings.memoryUncached)
  await heat(stage, service)
  const uncached = await playAll(stage, scenarios, service)
  const played = uncached.find(({ name }) => name === MIX_UNCACHED)
  const peakPerSecond = played?.service.perSecond ?? (await peakOf(service, mix))
  let halfLoad: HalfLoad | null = null
  if (wantsHalfLoad) {
    tell('half load')
    const seconds = HALF_LOAD_SECONDS[flags.quick ? 'quick' : 'full']
    halfLoad = await measureHalfLoad({
      bare,
      service,
      mix,
      seconds,
      perSecond: Math.round(peakPerSecond / 2),
    })
  }
  await service.stop()
  return { uncached, halfLoad, peakPerSecond }
}

async function playAll(
  { flags, bare, mix, tell }: Stage,
  scenarios: readonly Scenario[],
  service: Service,
): Promise<Measured[]> {
  const rounds = { rounds: flags.rounds, seconds: flags.seconds, warmSeconds: flags.seconds / 4 }
  const measured: Measured[] = []
  for (const [i, scenario] of scenarios.entries()) {
    tell(`${scenario.name} (${i + 1} of ${scenarios.length})`)
    measured.push(await play(scenario, { bare, service, mix }, rounds))
  }
  return measured
}

/** Lets both servers run until their code is compiled. */
async function heat({ flags, bare, mix }: Stage, service: Service, status = 200): Promise<void> {
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

const requestsOf = ({ port }: { port: number }, paths: readonly string[]) =>
  paths.map(path => requestBytes(port, path))
