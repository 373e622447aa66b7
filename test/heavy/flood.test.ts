import assert from 'node:assert/strict'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Question } from '../support/flood.ts'
import { startProcess } from '../support/other-process.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { residentMb } from '../support/unread.ts'
import { until } from '../support/until.ts'

/*
 * The fault: one host asks on 400 connections, each question another one. Others must hardly notice. Times are bounds that a
 * loaded machine keeps; the figures of an idle one are in docs/explanation/reliability.md.
 */

const FLOOD_MS = 3000
/** Those of large bodies come in one of the codings: each run takes one for each, another run another one. */
const CODINGS = ['identity', 'gzip', 'br']
const first = Math.floor(Math.random() * CODINGS.length)
const codingOf = (at: number) => CODINGS[(first + at) % CODINGS.length] ?? ''
const FLOODS: readonly (readonly [Question, coding: string])[] = [
  ['recalls of any limit', codingOf(0)],
  ['deep pages of vehicles', codingOf(1)],
  ['distinct histories', codingOf(2)],
  ['odd spellings of a path', 'br'],
  ['paths that do not exist', 'br'],
  ['queries full of errors', 'br'],
]

interface Waits {
  readonly statuses: Set<number>
  readonly ms: number[]
}

/** Asks from an address on a new connection, whatever came of it before. */
async function askFrom(localAddress: string, url: string, waits: Waits): Promise<void> {
  const at = performance.now()
  const status = await new Promise<number>((resolve, reject) => {
    const asked = request(url, { agent: false, localAddress }, response => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    asked.on('error', reject)
    asked.end()
  })
  waits.ms.push(performance.now() - at)
  waits.statuses.add(status)
}

/** Asks for signs of life, as someone new, and as another client for what is not cached, until the time has passed. */
async function othersDuring(service: Serving, ms: number) {
  const [life, list, vehicles] = [1, 2, 3].map((): Waits => ({ statuses: new Set(), ms: [] }))
  assert.ok(life && list && vehicles)
  const asked: Promise<void>[] = []
  const end = performance.now() + ms
  let mostMb = 0
  for (let n = 0; performance.now() < end; n++) {
    asked.push(askFrom('127.0.0.1', `${service.adminUrl}/livez`, life))
    asked.push(askFrom('127.0.0.3', `${service.url}/v1/toilets`, list))
    const from = new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10)
    const uncached = `/v1/vehicles?make=ford&endDate=${from}&page=${1 + Math.floor(Math.random() * 50)}`
    asked.push(askFrom('127.0.0.4', service.url + uncached, vehicles))
    mostMb = Math.max(mostMb, await residentMb(service))
    await pause(100)
  }
  await Promise.all(asked)
  return { life, list, vehicles, mostMb }
}

const median = (ms: readonly number[]) => ms.toSorted((a, b) => a - b)[ms.length >> 1] ?? 0
const figures = (ms: readonly number[]) =>
  `${median(ms).toFixed(0)} (at most ${Math.max(...ms).toFixed(0)}) ms`

test('one host asks on 400 connections', async t => {
  const site = await makeSite(t)
  // Cached responses stay, up to 64 MB by default: with few of them, the memory shows what the floods themselves hold.
  const service = await site.serve({ VEHICLES_RATE_LIMIT: '0', RESPONSE_CACHE_MB: '8' }, ['demo'])
  const port = new URL(service.url).port
  await othersDuring(service, FLOOD_MS)
  const restMb = await residentMb(service)
  const files = (await service.openFiles()).length

  for (const [question, coding] of FLOODS)
    await t.test(`${question}, ${coding}`, async t => {
      const beforeMb = await residentMb(service)
      const program = join(import.meta.dirname, '../support/flood.ts')
      const flood = startProcess(t, program, port, '127.0.0.2', coding, question)
      assert.equal(await flood.nextLine(), 'open')
      const { life, list, vehicles, mostMb } = await othersDuring(service, FLOOD_MS)
      flood.child.stdin.write('end')
      const answers = await flood.nextLine()
      await flood.kill()
      t.diagnostic(
        `/livez ${figures(life.ms)}; a new connection ${figures(list.ms)}; another client's vehicles ${figures(vehicles.ms)}; memory +${(mostMb - beforeMb).toFixed(0)} MB; answers ${answers}`,
      )
      for (const { statuses } of [life, list, vehicles]) assert.deepEqual([...statuses], [200])
      assert.ok(median(life.ms) < 200 && median(list.ms) < 500, 'others hardly notice')
      assert.ok(mostMb - beforeMb < 150, 'memory is bounded')
    })

  const begun = performance.now()
  // V8 collects what is garbage as it allocates: ordinary requests go on, as they do.
  const isBack = async () => {
    await othersDuring(service, 1000)
    return (await residentMb(service)) < restMb + 100
  }
  await until(isBack, 'memory to be given back', 60_000)
  await until(async () => (await service.openFiles()).length <= files + 2, 'connections to be closed')
  t.diagnostic(
    `memory ${restMb.toFixed(0)} MB before, ${(await residentMb(service)).toFixed(0)} MB ${((performance.now() - begun) / 1000).toFixed(0)} s after`,
  )
  assert.equal((await service.stop('SIGTERM')).status, 0)
})
