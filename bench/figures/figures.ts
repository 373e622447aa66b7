import type { LogAndLimit, Memory, Start, StreamFigures, Switching } from '../report/results.ts'
import type { BenchStore } from '../servers/data.ts'
import type { Cores } from '../servers/machine.ts'
import { startService } from '../servers/service.ts'
import { measureLogAndLimit } from './log-and-limit.ts'
import { measureMemory } from './memory.ts'
import { measureSwitching } from './release-switch.ts'
import { peakOf, type Stage } from './stages.ts'
import { measureStart } from './start-time.ts'
import { measureStreams } from './streams.ts'

export interface FiguresOptions extends Pick<Stage, 'flags' | 'mix' | 'settings' | 'tell'> {
  readonly rows: number
  readonly cores: Cores | undefined
  /** The address of the store with the vehicles. */
  readonly address: string
  readonly emptyStore: () => Promise<BenchStore>
  readonly isWanted: (name: string) => boolean
  /** Answers to the mix a second, if measured. */
  readonly peakPerSecond: number | undefined
}

/** How often and how long each figure is measured. */
const EFFORT = {
  quick: { starts: 3, settleSeconds: 2, switches: 2, secondsWithout: 1 },
  full: { starts: 7, settleSeconds: 15, switches: 6, secondsWithout: 5 },
}

/** The figures that are not ratios to the bare server: start, memory, release switch, request log and rate limit, streams. Unwanted figures are null. */
export async function measureFigures(options: FiguresOptions): Promise<{
  start: Start | null
  memory: Memory | null
  switching: Switching | null
  logAndLimit: LogAndLimit | null
  streams: readonly StreamFigures[] | null
}> {
  const { isWanted, tell } = options
  const onlyIf = async <T>(name: string, take: () => Promise<T>): Promise<T | null> => {
    if (!isWanted(name)) return null
    tell(name)
    return take()
  }
  return {
    start: await onlyIf('start', () => startOf(options)),
    memory: await onlyIf('memory', () => memoryOf(options)),
    switching: await onlyIf('release switch', () => switchingOf(options)),
    logAndLimit: await onlyIf('log and limit', () => logAndLimitOf(options)),
    streams: await onlyIf('streams', () =>
      measureStreams(options.settings.memoryUncached, { rows: options.rows, rounds: options.flags.rounds }),
    ),
  }
}

/** Like users, with all cores. */
function startOf({ settings, cores, flags }: FiguresOptions): Promise<Start> {
  return measureStart({ ...settings.memory, cores: cores?.all }, effortOf(flags).starts)
}

/** Without the cache of answers, which has a separate limit. */
async function memoryOf({ settings, emptyStore, rows, mix, flags }: FiguresOptions): Promise<Memory> {
  const empty = await emptyStore()
  const { settleSeconds } = effortOf(flags)
  return measureMemory({
    service: settings.memoryUncached,
    emptyStore: empty.address,
    rows,
    mix,
    settleSeconds,
  })
}

/** Like users, with the cache of answers. A switch empties the cache. */
async function switchingOf({
  settings,
  address,
  cores,
  mix,
  flags,
  peakPerSecond,
}: FiguresOptions): Promise<Switching> {
  const { switches, secondsWithout } = effortOf(flags)
  const service = await startService({ ...settings.memory, probe: true })
  const perSecond = Math.round((peakPerSecond ?? (await peakOf(service, mix))) / 2)
  const switching = await measureSwitching({
    ...{ service, store: address, cores, mix, perSecond, switches, secondsWithout },
  })
  await service.stop()
  return switching
}

const logAndLimitOf = ({ settings, flags: { rounds, seconds } }: FiguresOptions): Promise<LogAndLimit> =>
  measureLogAndLimit(settings.memory, { rounds, seconds, warmSeconds: seconds })

const effortOf = ({ quick }: FiguresOptions['flags']) => EFFORT[quick ? 'quick' : 'full']
