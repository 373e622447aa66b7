import type { Flags } from '../flags.ts'
import { mixOfServed } from '../load/mix-of-served.ts'
import { QUICK, SCENARIOS } from '../load/scenarios.ts'
import type { SizeResults } from '../report/results.ts'
import { startBare } from '../servers/bare.ts'
import { prepareStore } from '../servers/data.ts'
import type { Cores } from '../servers/machine.ts'
import { startService } from '../servers/service.ts'
import { serviceSettings } from '../servers/service-settings.ts'
import { measureFigures } from './figures.ts'
import { measureCached, measureUncached, type Stage } from './stages.ts'

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
  const isWanted = (name: string) => flags.only?.test(name) ?? (!flags.quick || QUICK.includes(name))

  tell('making the data')
  const { address, madeInSeconds } = await prepareStore(folder, rows, cores)
  const settings = serviceSettings({ store: address, feedUrl, cores })
  const mix = options.mix ?? (await drawMix(settings.memoryUncached, rows))
  const bare = await startBare(cores?.server)
  const scenarios = SCENARIOS.filter(({ name }) => isWanted(name))
  const stage: Stage = { flags, bare, mix, settings, scenarios, tell, wantsHalfLoad: isWanted('half load') }

  const cached = [...(await measureCached(stage, 'memory')), ...(await measureCached(stage, 'limited'))]
  const { uncached, halfLoad, peakPerSecond } = await measureUncached(stage)
  await bare.stop()
  const emptyStore = () => prepareStore(folder, 0, cores)
  const figures = await measureFigures({
    ...stage,
    rows,
    cores,
    address,
    emptyStore,
    isWanted,
    peakPerSecond,
  })
  const results = {
    rows,
    dataSeconds: madeInSeconds ?? null,
    scenarios: [...cached, ...uncached],
    halfLoad,
    ...figures,
  }
  return { results, mix }
}

async function drawMix(options: Parameters<typeof startService>[0], rows: number): Promise<string[]> {
  const service = await startService(options)
  try {
    return await mixOfServed(service, rows)
  } finally {
    await service.stop()
  }
}
