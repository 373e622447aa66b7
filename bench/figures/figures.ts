import { NO_POSTGRES, postgresFolder } from '../../test/support/postgres-programs.ts'
import type { SizeResults } from '../report/results.ts'
import type { BenchStore } from '../servers/data.ts'
import { startIdle } from '../servers/service.ts'
import { measureBesideSql } from './beside-sql.ts'
import { measureMemory } from './memory.ts'
import { measureSwitching } from './release-switch.ts'
import { HOT_SECONDS, peakOf, type Stage } from './stages.ts'
import { measureStart } from './start-time.ts'
import { measureStreams } from './streams.ts'
import { measureWorkers } from './workers.ts'

/** How often and how long each figure is measured. */
const EFFORT = {
  quick: { starts: 5, settleSeconds: 2, switches: 5, secondsWithout: 1, hotSeconds: HOT_SECONDS.quick },
  full: { starts: 7, settleSeconds: 15, switches: 6, secondsWithout: 5, hotSeconds: HOT_SECONDS.full },
}

/**
 * The figures that are not ratios to the bare server; null for unwanted figures. `emptyStore` makes a store with everything
 * except vehicles, and `peak` is how many answers to the mix there are a second, if that is known.
 */
export async function measureFigures(
  stage: Stage,
  emptyStore: () => Promise<BenchStore>,
  peak: number | undefined,
): Promise<Omit<SizeResults, 'rows' | 'dataSeconds' | 'scenarios'>> {
  const { isWanted, tell, settings, rows, mix, cores, flags } = stage
  const effort = EFFORT[flags.quick ? 'quick' : 'full']
  const onlyIf = async <T>(name: string, take: () => Promise<T>): Promise<T | null> => {
    if (!isWanted(name)) return null
    tell(name)
    return take()
  }
  return {
    // Like users, with all cores.
    start: await onlyIf('start', () =>
      measureStart({ ...settings.memory, cores: cores?.all }, effort.starts),
    ),
    // Without the cache of answers, which has a separate limit.
    memory: await onlyIf('memory', async () => {
      const { address } = await emptyStore()
      return measureMemory({ ...effort, service: settings.memoryUncached, emptyStore: address, rows, mix })
    }),
    // Without the cache of answers, so that half of the load is half of what the uncached mix reached.
    switching: await onlyIf('release switch', async () => {
      const service = await startIdle({ ...settings.memoryUncached, probe: true })
      const perSecond = Math.round((peak ?? (await peakOf(service, mix))) / 2)
      const store = settings.memoryUncached.store
      const switching = await measureSwitching({ ...effort, service, store, cores, mix, perSecond })
      await service.stop()
      return switching
    }),
    workers: await onlyIf('workers', () =>
      measureWorkers(settings.memory, {
        ...effort,
        ...{ mix, rounds: flags.rounds, seconds: flags.seconds, warmSeconds: flags.seconds / 4 },
      }),
    ),
    sql: await onlyIf('beside SQL', async () => {
      if (postgresFolder() !== undefined)
        return measureBesideSql(settings.memoryUncached, { rows, mix, cores })
      tell(NO_POSTGRES)
      return null
    }),
    streams: await onlyIf('streams', () =>
      measureStreams(settings.memoryUncached, { rows, rounds: flags.rounds }),
    ),
  }
}
