import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../src/store/open-store.ts'
import { ask, headerOf } from '../load/answer.ts'
import { requestBytes } from '../load/connection.ts'
import { CONNECTIONS } from '../load/rounds.ts'
import { startSteadyLoad } from '../load/steady-load.ts'
import type { Switching } from '../report/results.ts'
import { spread } from '../report/statistics.ts'
import type { Cores } from '../servers/machine.ts'
import { runNode } from '../servers/process.ts'
import { longestStall, type Service } from '../servers/service.ts'

const PDS = fileURLToPath(new URL('../../bin/pds', import.meta.url))
const PATIENCE_MS = 120_000
const LOOK_MS = 10
/** The first answers of the new release belong to the switch. */
const AFTER_MS = 500

export interface SwitchOptions {
  /** A service with a probe of its event loop, on the first of two releases. */
  readonly service: Service
  readonly store: string
  readonly cores: Cores | undefined
  readonly mix: readonly string[]
  readonly perSecond: number
  readonly switches: number
  readonly secondsWithout: number
}

/** Switches between two releases under load, with `pds rollback` in a separate process on the load's core. */
export async function measureSwitching(options: SwitchOptions): Promise<Switching> {
  const { service, mix, perSecond, switches, secondsWithout } = options
  const requests = mix.map(path => requestBytes(service.port, path))
  const startLoad = () =>
    startSteadyLoad({
      ...{ port: service.port, requests, rate: perSecond },
      ...{ connections: CONNECTIONS, status: 200 },
    })
  // Lets code get hot first.
  const hot = startLoad()
  await pause(secondsWithout * 500)
  await hot.stop()
  const without = startLoad()
  await longestStall(service)
  await pause(secondsWithout * 1000)
  const stallWithoutMs = await longestStall(service)
  const { p50Ms: p50WithoutMs, p99Ms: p99WithoutMs } = await without.stop()

  const load = startLoad()
  await longestStall(service)
  const [seen, stalls]: [number[], number[]] = [[], []]
  for (let i = 0; i < switches; i++) {
    seen.push(await switchTo(i % 2 === 0 ? 2 : 1, options))
    stalls.push(await longestStall(service))
  }
  const { answers, failed, firstFailure, p50Ms, p99Ms } = await load.stop()
  return {
    ...{ switches, perSecond, answers, failed, firstFailure, stallWithoutMs },
    ...{ p50Ms, p99Ms, p50WithoutMs, p99WithoutMs, seenMs: spread(seen), stallMs: spread(stalls) },
  }
}

/** Makes a release current, and returns the time until the service answers from it. */
async function switchTo(release: number, { service, store, cores }: SwitchOptions): Promise<number> {
  // An overloaded service may refuse a request.
  const tag = async (): Promise<string> => {
    const answer = await ask(service.port, { path: '/v1/vehicles?limit=1' })
    return answer.status === 200 ? headerOf(answer, 'etag') : tag()
  }
  const before = await tag()
  let failure: unknown
  const switching = runNode([PDS, 'rollback', 'vehicles', String(release)], {
    cores: cores?.load,
    environment: { DATABASE_URL: store },
  })
  switching.catch(error => {
    failure = error
  })
  const began = performance.now()
  while ((await tag()) === before) {
    if (failure !== undefined) throw failure
    if (performance.now() - began > PATIENCE_MS) throw new Error('the new release is not seen')
    await pause(LOOK_MS)
  }
  const seenAt = Date.now()
  await switching
  await pause(AFTER_MS)
  return seenAt - (await currentSince(store))
}

async function currentSince(address: string): Promise<number> {
  const store = await openStore(address)
  const current = await store.releases.current('vehicles')
  await store.close()
  return Date.parse(current?.currentSince ?? '')
}
