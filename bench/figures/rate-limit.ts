import { requestBytes } from '../load/connection.ts'
import { measureInTurn, type RoundOptions } from '../load/rounds.ts'
import { compareCosts, figuresOf } from '../report/measured.ts'
import type { RateLimit } from '../report/results.ts'
import { type ServiceOptions, startIdle } from '../servers/service.ts'

/** More requests than in any run, so that every request is counted and none is refused. */
const NEVER_REACHED = { VEHICLES_RATE_LIMIT: '1000000000' }

/** The cost of the rate limit: the first page of vehicles from a service that counts requests, and from a service without a limit. */
export async function measureRateLimit(options: ServiceOptions, rounds: RoundOptions): Promise<RateLimit> {
  const off = await startIdle({ ...options, name: 'without rate limit' })
  const settings = { ...options.settings, ...NEVER_REACHED }
  const on = await startIdle({ ...options, name: 'with rate limit', settings })
  const targets = [off, on].map(target => ({
    target,
    requests: [requestBytes(target.port, '/v1/vehicles')],
    status: 200,
  }))
  const [without = [], counted = []] = await measureInTurn(targets, rounds, async () => {})
  await Promise.all([off.stop(), on.stop()])
  return {
    off: figuresOf(without),
    on: figuresOf(counted),
    ratio: compareCosts(without, counted),
  }
}
