import { requestBytes } from '../load/connection.ts'
import { measureInTurn, type RoundOptions } from '../load/rounds.ts'
import { compareCosts, figuresOf } from '../report/measured.ts'
import type { LogAndLimit } from '../report/results.ts'
import { type ServiceOptions, startIdle } from '../servers/service.ts'

/** What the request log and the rate limit cost: the first page of vehicles from a service with both, and from one without. */
export async function measureLogAndLimit(
  options: ServiceOptions,
  rounds: RoundOptions,
): Promise<LogAndLimit> {
  const settings = { ...options.settings, VEHICLES_RATE_LIMIT: '0', LOG_LEVEL: 'warn' }
  const off = await startIdle({ ...options, name: 'without request log and rate limit', settings })
  const on = await startIdle(options)
  const targets = [off, on].map(target => ({
    target,
    requests: [requestBytes(target.port, '/v1/vehicles')],
    status: 200,
  }))
  const [without = [], both = []] = await measureInTurn(targets, rounds, async () => {})
  await Promise.all([off.stop(), on.stop()])
  return { off: figuresOf(without), on: figuresOf(both), ratio: compareCosts(without, both) }
}
