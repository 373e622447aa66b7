import type { Flags } from '../flags.ts'
import { mixOfServed } from '../load/mix-of-served.ts'
import { MIX_UNCACHED, QUICK } from '../load/scenarios.ts'
import type { SizeResults } from '../report/results.ts'
import { prepareStore } from '../servers/data.ts'
import type { Cores } from '../servers/machine.ts'
import { startService } from '../servers/service.ts'
import { serviceSettings } from '../servers/service-settings.ts'
import { measureFigures } from './figures.ts'
import { measureScenarios, type Stage } from './stages.ts'

/** Smaller registers are served from memory; SQL would tell nothing of use about them. */
const LEAST_BESIDE_SQL = 10_000_000

export interface SizeOptions {
  readonly flags: Flags
  readonly rows: number
  readonly cores: Cores | undefined
  /** The folder of the stores. */
  readonly folder: string
  readonly feedUrl: string
  /** The mix; undefined for the first size, because the mix is drawn from the first size's vehicles. */
  readonly mix: readonly string[] | undefined
  readonly tell: (line: string) => void
}

/** Takes the wanted measurements at one number of vehicles. Returns the mix, so that other sizes get the same mix. */
export async function measureSize(
  options: SizeOptions,
): Promise<{ results: SizeResults; mix: readonly string[] }> {
  const { flags, rows, cores, folder, feedUrl } = options
  const tell = (line: string) => options.tell(`${rows.toLocaleString('en-GB')} vehicles: ${line}`)
  const isWanted = (name: string) =>
    flags.only?.test(name) ??
    (flags.quick ? QUICK.includes(name) : name !== 'beside SQL' || rows >= LEAST_BESIDE_SQL)

  tell('making the data')
  const { address, madeInSeconds } = await prepareStore(folder, rows, cores)
  const settings = serviceSettings({ store: address, feedUrl, cores })
  const mix = options.mix ?? (await drawMix(settings.memoryUncached, rows))
  const stage: Stage = { flags, rows, cores, mix, settings, isWanted, tell }
  const scenarios = await measureScenarios(stage)
  const emptyStore = () => prepareStore(folder, 0, cores)
  const peak = scenarios.find(({ name }) => name === MIX_UNCACHED)?.service.perSecond
  const figures = await measureFigures(stage, emptyStore, peak)
  return { results: { rows, dataSeconds: madeInSeconds ?? null, scenarios, ...figures }, mix }
}

async function drawMix(options: Parameters<typeof startService>[0], rows: number): Promise<string[]> {
  const service = await startService(options)
  try {
    return await mixOfServed(service, rows)
  } finally {
    await service.stop()
  }
}
