import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Instance, startFleet } from '../support/fleet.ts'
import { startJudgedLoad } from '../support/judged-load.ts'
import { NUMBERED_PATHS, releaseIn } from '../support/numbered-releases.ts'
import { publishFirst } from '../support/release-swaps.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const CONNECTIONS = 20
const LEAST_ANSWERS = 500

/** Has clients ask without a pause through the proxy while something is done to each of three instances in turn. */
async function askWhile(t: TestContext, work: (instance: Instance) => Promise<void>) {
  const site = await makeSite(t)
  await publishFirst(site)
  const fleet = await startFleet(t, 3, { DATABASE_URL: `sqlite:${site.data}`, VEHICLES_RATE_LIMIT: '0' })
  const proxy = await startRoundRobin(t, fleet)
  const load = startJudgedLoad({
    targets: [{ name: 'the proxy', url: proxy.url, isOneInstance: true }],
    clients: CONNECTIONS,
    paths: NUMBERED_PATHS,
    judge: (answer, path) => releaseIn(path, answer),
    pauseMs: 0,
  })
  await until(() => load.isWell(), 'the load')
  for (const [place, instance] of fleet.entries()) {
    await work(instance)
    await instance.start()
    await until(() => proxy.inUse().includes(place), `${instance.name} being used again`)
  }
  await load.stop()
  const { answers, refusals, slowestMs } = load.met()
  t.diagnostic(
    `${answers} answers, ${refusals} refused, ${proxy.repeated} asked again; the slowest took ${Math.round(slowestMs)} ms`,
  )
  assert.equal(refusals, 0)
  assert.ok(answers >= LEAST_ANSWERS)
}

test(`a rolling restart by SIGTERM under ${CONNECTIONS} connections: no request fails, each process ends with 0 in time`, async t => {
  await askWhile(t, async instance => {
    const { status, seconds } = await instance.stop()
    t.diagnostic(`${instance.name} ended ${seconds.toFixed(1)} s after SIGTERM`)
    assert.equal(status, 0)
    assert.ok(seconds < 10)
  })
})

test(`kill -9 of each instance under ${CONNECTIONS} connections: with GET retried, no request fails`, async t => {
  await askWhile(t, instance => instance.kill())
})
