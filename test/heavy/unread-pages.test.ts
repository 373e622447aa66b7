import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent } from 'undici'
import { numberedRegister } from '../support/numbered-vehicles.ts'
import { ask } from '../support/serving.ts'
import { makeSqlSite } from '../support/site.ts'
import { residentMb, unreadConnections } from '../support/unread.ts'

/*
 * The fault: one host asks for hundreds of pages that are read by SQL while they are sent, and reads none. Times are bounds
 * that a loaded machine keeps; the figures of an idle one are in docs/explanation/reliability.md.
 */

const VEHICLES = 40_000
const CLIENTS = 400
const ROUNDS = 10
const ANOTHER = '127.0.0.3'

test(`${CLIENTS} clients of one host ask for pages of 10,000 vehicles and read nothing; the heap has 96 MB`, async t => {
  const site = await makeSqlSite(t)
  await site.publish('vehicles', numberedRegister(VEHICLES).csv(1))
  const service = await site.serve({
    ...{ RESPONSE_CACHE_MB: '0', PAGE_LIMIT_MAX: '10000', VEHICLES_RATE_LIMIT: '0' },
    NODE_OPTIONS: '--max-old-space-size=96',
  })
  const agent = new Agent({ localAddress: ANOTHER })
  t.after(() => agent.destroy())
  const statuses: Record<number, number> = {}
  const waits = async (limit: number) => {
    const ms: number[] = []
    for (let page = 1; page <= ROUNDS; page++) {
      const at = performance.now()
      const { status } = await ask(agent, `${service.url}/v1/vehicles?limit=${limit}&page=${1 + (page % 7)}`)
      ms.push(performance.now() - at)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    return ms.sort((a, b) => a - b)
  }
  await waits(5000)
  const beforeMb = await residentMb(service)

  const { ask: askUnread } = unreadConnections(t, service)
  for (let client = 0; client < CLIENTS; client++)
    await askUnread([`/v1/vehicles?limit=10000&page=${1 + (client % 4)}`])
  for (const limit of [20, 5000]) {
    const ms = await waits(limit)
    const [median = 0, longest = 0] = [ms[ms.length >> 1], ms.at(-1)]
    t.diagnostic(
      `another client's page of ${limit}: ${median.toFixed(0)} ms, at most ${longest.toFixed(0)}; memory +${((await residentMb(service)) - beforeMb).toFixed(0)} MB`,
    )
    assert.ok(median < 5000, `${median} ms`)
  }
  assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
  t.diagnostic(`its answers: ${JSON.stringify(statuses)}`)
  assert.ok((statuses[200] ?? 0) > 2 * ROUNDS)
})
