import { ask } from '../load/answer.ts'
import { SCENARIOS } from '../load/scenarios.ts'
import type { BesideSql } from '../report/results.ts'
import { median } from '../report/statistics.ts'
import { type Cores, pin, pinLoad } from '../servers/machine.ts'
import { type ServiceOptions, startIdle, type Target } from '../servers/service.ts'
import { importVehicles } from '../sql/fill.ts'
import { startBenchServer } from '../sql/server.ts'

/** How often each query is asked, after its first time, and how many queries of the mix are asked. */
const TIMES = 5
const OF_THE_MIX = 100

/**
 * Asks the same queries of a service with the vehicles in memory, and of a service that asks PostgreSQL by plain SQL: one
 * query at a time, without a cache of answers. PostgreSQL runs on this machine, for this figure only, with all cores.
 */
export async function measureBesideSql(
  service: ServiceOptions,
  { rows, mix, cores }: { rows: number; mix: readonly string[]; cores: Cores | undefined },
): Promise<BesideSql> {
  // The server gets the cores of the process that starts it.
  if (cores !== undefined) pin(process.pid, cores.all)
  const server = await startBenchServer()
  try {
    const { phases } = await importVehicles(server.address, rows)
    pinLoad(cores)
    // A slow query is a figure, not an error.
    const store = `${server.address}?statement_timeout=60000`
    const settings = { ...service.settings, TABLE_ENGINE: 'sql' }
    const memory = await startIdle(service)
    const sql = await startIdle({ ...service, name: 'SQL', store, settings })
    const queries: BesideSql['queries'][number][] = []
    for (const { name, paths = mix.slice(0, OF_THE_MIX), service: kind } of SCENARIOS)
      if (kind === 'memoryUncached')
        queries.push({ name, memoryMs: await medianOf(memory, paths), sqlMs: await medianOf(sql, paths) })
    await Promise.all([memory.stop(), sql.stop()])
    return { importSeconds: phases.at(-1)?.[1] ?? Number.NaN, queries }
  } finally {
    await server.end()
  }
}

/** The median duration of some queries in milliseconds; NaN if the service refuses one, because it takes too long. */
async function medianOf({ port }: Target, paths: readonly string[]): Promise<number> {
  const took: number[] = []
  for (const path of paths)
    for (let time = 0; time <= TIMES; time++) {
      const began = performance.now()
      const { status } = await ask(port, { path })
      // The first time, the store may have to count all rows, or the code to get hot.
      if (time === 0) continue
      if (status !== 200) return Number.NaN
      took.push(performance.now() - began)
    }
  return median(took)
}
