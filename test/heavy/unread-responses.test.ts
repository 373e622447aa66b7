import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { ISLAND, TOILETS } from '../support/island.ts'
import { limitMemory, NO_MEMORY_LIMIT } from '../support/memory-limit.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { residentMb, type Seen, unreadConnections, watch } from '../support/unread.ts'
import { until } from '../support/until.ts'

/*
 * The fault: clients that ask for much and read nothing. Times are bounds that a loaded machine keeps; the figures of an
 * idle one are in docs/explanation/reliability.md.
 */

/** The memory that the service has, with what the kernel holds for it. */
const GIB = 2 ** 30

const ENTRIES = 10_000
const [RECALL] = ISLAND['product-recalls']

/** A page of all of them has 40 MB. */
const RECALLS = Array.from({ length: ENTRIES }, (_, index) => ({
  ...RECALL,
  id: ENTRIES - index,
  problem: randomBytes(2000).toString('hex'),
}))

/** Warmed up: what a process takes for its first thousand answers, it keeps. */
async function serve(t: TestContext) {
  const site = await makeSite(t)
  // Made after the site, so that it goes when the service has ended. Where it cannot be made, the bounds below hold alone.
  const limit = limitMemory(t, GIB)
  await site.publish('toilets', TOILETS)
  await site.publish('product-recalls', RECALLS)
  const service = await site.serve({ PAGE_LIMIT_MAX: String(ENTRIES) }, ['serve'], limit)
  for (let limit = 1; limit <= 150; limit++)
    await fetch(`${service.url}/v1/product-recalls?limit=${limit}`, {
      headers: { 'accept-encoding': 'br' },
    }).then(response => response.arrayBuffer())
  return { service, limit }
}

const sockets = async (service: Serving) =>
  (await service.openFiles()).filter(name => name.startsWith('socket:')).length

/** How many connections were reset since the start. */
async function resets(service: Serving): Promise<number> {
  const metrics = await service.metrics()
  const count = (reason: string) => metrics.get(`pds_http_connections_reset_total{reason="${reason}"}`) ?? 0
  return count('slow') + count('memory')
}

test('clients that read nothing', async t => {
  const { service, limit } = await serve(t)

  /** Runs an attack until its sockets are gone, and returns what others saw and how much memory it took. */
  async function survive(
    t: TestContext,
    attack: () => Promise<unknown>,
    { held, withinMs }: { held: number; withinMs: number },
  ): Promise<Seen> {
    const before = { mb: await residentMb(service), sockets: await sockets(service) }
    // On a busy machine the first are reset before the last have come.
    const accepted = async () => (await sockets(service)) + (await resets(service))
    const acceptedBefore = await accepted()
    const stop = watch(service)
    await attack()
    await until(async () => (await accepted()) >= acceptedBefore + held, 'connections to be accepted')
    const begun = performance.now()
    await until(async () => (await sockets(service)) <= before.sockets + 2, 'sockets to be freed', withinMs)
    const seconds = (performance.now() - begun) / 1000
    const seen = await stop()
    const taken = seen.mostMb - before.mb
    t.diagnostic(
      `freed after ${seconds.toFixed(1)} s; memory +${taken.toFixed(0)} MB; another client waited ${seen.medianMs.toFixed(0)} ms, at most ${seen.longestMs.toFixed(0)} ms`,
    )
    assert.ok(seen.medianMs < 100, `another client waited ${seen.medianMs} ms`)
    assert.ok(seen.longestMs < 2000, `another client waited ${seen.longestMs} ms at most`)
    return { ...seen, mostMb: taken }
  }

  await t.test('400 of one page of 40 MB are reset', async t => {
    const { ask } = unreadConnections(t, service)
    const attack = async () => {
      for (let client = 0; client < 400; client++) await ask([`/v1/product-recalls?limit=${ENTRIES}`])
    }
    const { mostMb } = await survive(t, attack, { held: 10, withinMs: 30_000 })
    assert.ok(mostMb < 200, `${mostMb} MB`)
  })

  await t.test('40 of distinct pages of 40 MB are reset, several pipelined', async t => {
    const { ask } = unreadConnections(t, service)
    const attack = async () => {
      for (let client = 0; client < 40; client++)
        await ask([1, 2, 3].map(page => `/v1/product-recalls?limit=${ENTRIES - client * 3 - page}`))
    }
    const { mostMb } = await survive(t, attack, { held: 10, withinMs: 30_000 })
    assert.ok(mostMb < 100, `${mostMb} MB`)
  })

  // A run takes one of the codings, another run another one.
  const coding = ['br', 'identity'][Math.floor(Math.random() * 2)]
  await t.test(`ten that pipeline 600 distinct pages each in ${coding} are reset`, async t => {
    const { ask } = unreadConnections(t, service)
    const paths = Array.from({ length: 600 }, (_, index) => `/v1/product-recalls?limit=${150 + index}`)
    const attack = async () => {
      for (let client = 0; client < 10; client++) await ask(paths, `Accept-Encoding: ${coding}\r\n`)
    }
    const { mostMb } = await survive(t, attack, { held: 10, withinMs: 30_000 })
    assert.ok(mostMb < 100, `${mostMb} MB`)
  })

  await t.test('ten that pipeline 500 files each and close leave nothing open', async t => {
    const { ask } = unreadConnections(t, service)
    const paths = Array.from({ length: 500 }, () => '/openapi.json')
    const files = (await service.openFiles()).length
    const attack = async () => {
      const open = await Promise.all(Array.from({ length: 10 }, () => ask(paths)))
      for (const socket of open) socket.resetAndDestroy()
    }
    await survive(t, attack, { held: 0, withinMs: 5000 })
    await until(async () => (await service.openFiles()).length <= files + 2, 'files to be closed', 5000)
  })

  await t.test('a gibibyte of memory is enough', { skip: limit === undefined && NO_MEMORY_LIMIT }, () => {
    assert.equal(limit?.kills(), 0)
    assert.equal(service.child.exitCode, null)
  })

  await t.test('it is logged once, and counted', async () => {
    const events = service.log.filter(({ event }) => event === 'connections-reset')
    assert.equal(events.length, 1)
    const unread = async () => (await service.metrics()).get('pds_http_unread_bytes')
    await until(async () => (await unread()) === 0, 'all to be closed')
    const count = await resets(service)
    // The others got 503.
    assert.ok(count >= 100, `${count} resets`)
  })
})
