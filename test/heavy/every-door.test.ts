import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { type Door, doorsOf } from '../support/doors.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { residentMb, unreadConnections } from '../support/unread.ts'

/*
 * Every address of the service, in every content coding, under clients that take all they can get: those who read slowly or
 * not at all, who ask for much at once, who send much. The heap has 96 MB. Times are bounds that a loaded machine keeps.
 */

const CODINGS = ['identity', 'gzip', 'br']
const SLOW = { readers: 128, everyMs: 250, forMs: 800 }
const PLAIN = { readers: 24, forMs: 500 }
const WARMING = { readers: 4, forMs: 300 }
/** Bodies of at least so many bytes are attacked one by one, smaller ones by turns: the kernel takes those whole. */
const LARGE_BYTES = 262_144
const BOUND = { grownMb: 150, keptMb: 75, livezMs: 500, backMs: 60_000 }
const [OTHERS, ATTACKER] = [['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'], '127.0.0.2']

/**
 * Asks `/livez` from a process of its own: this one is busy. At each input it writes the slowest answer since the last, with
 * the one that it is waiting for.
 */
const PROBE = `
let slowest = 0
let isAsked = false
process.stdin.on('data', () => { isAsked = true })
for (;;) {
  const asked = performance.now()
  await fetch(process.argv[1]).then(response => response.text())
  slowest = Math.max(slowest, performance.now() - asked)
  if (isAsked) {
    console.log(slowest)
    slowest = 0
    isAsked = false
  }
  await new Promise(resolve => setTimeout(resolve, 10))
}
`

test('no client harms another, whichever address it asks', { timeout: 1_200_000 }, async t => {
  const site = await makeSite(t)
  const settings = { VEHICLES_RATE_LIMIT: '0', LIVE_FEED_INTERVAL_S: '5' }
  // Makes the island, for which a small heap does not suffice.
  await (await site.serve(settings, ['demo'])).stop()
  const service = await site.serve({ ...settings, NODE_OPTIONS: '--max-old-space-size=96' }, ['demo'])
  // A file is made at its first request.
  for (const { path } of JSON.parse((await service.get('/v1/datasets/vehicles/files')).text).files)
    await service.get(path)
  const doors = await doorsOf(t, service)
  const [large, small] = await bySize(service, doors)
  assert.ok(large.length > 15 && small.length > 100, `${large.length} large, ${small.length} small`)
  await warmUp(service, large)
  const slowestLivez = probing(t, service)

  /** Runs an attack, and judges what it took. */
  async function bear(t: TestContext, what: string, attack: () => Promise<void>): Promise<void> {
    const beforeMb = await residentMb(service)
    await slowestLivez()
    let mostMb = beforeMb
    const sampling = setInterval(async () => {
      mostMb = Math.max(mostMb, await residentMb(service))
    }, 50)
    try {
      await attack()
    } finally {
      clearInterval(sampling)
    }
    const livezMs = await slowestLivez()
    let afterMb = await residentMb(service)
    const begun = performance.now()
    while (afterMb > beforeMb + BOUND.keptMb && performance.now() - begun < BOUND.backMs) {
      await pause(500)
      afterMb = await residentMb(service)
    }
    assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
    const [most, after] = [mostMb - beforeMb, afterMb - beforeMb]
    t.diagnostic(
      `${what}: ${beforeMb.toFixed(0)} MB before, +${most.toFixed(0)} at most, ${after.toFixed(0)} after; /livez ${livezMs.toFixed(0)} ms`,
    )
    assert.ok(most < BOUND.grownMb, `${what}: +${most} MB`)
    assert.ok(after <= BOUND.keptMb, `${what}: ${after} MB kept`)
    assert.ok(livezMs < BOUND.livezMs, `${what}: /livez after ${livezMs} ms`)
  }

  // All codings of all addresses would take five minutes: each run takes one of each address, another run another one.
  const first = Math.floor(Math.random() * CODINGS.length)
  for (const [turn, coding] of CODINGS.entries())
    await t.test(`slow and plain readers of a third of the addresses in ${coding}`, async t => {
      for (const door of large.filter((_, at) => (at + first) % CODINGS.length === turn)) {
        const slow = () => readSlowly(t, service, [door], coding)
        const plain = () => readPlainly(service, door, coding)
        await bear(t, `${SLOW.readers} slow readers of ${door.address}`, slow)
        await bear(t, `${PLAIN.readers} plain readers of ${door.address}`, plain)
      }
      await bear(t, 'slow readers of the others', () => readSlowly(t, service, small, coding))
    })

  await t.test("bursts of unread downloads, against others' downloads", async t => {
    const met: Record<string, number> = {}
    const attack = async () => {
      const downloading = OTHERS.map(localAddress => download(service, localAddress, 3))
      let ended = false
      const bursts = (async () => {
        while (!ended) await burst(t, service)
      })()
      for (const statuses of await Promise.all(downloading).finally(() => (ended = true)))
        for (const status of statuses) met[status] = (met[status] ?? 0) + 1
      await bursts
    }
    await bear(t, 'bursts', attack)
    assert.deepEqual(met, { 200: 3 * OTHERS.length })
  })

  await t.test('12,000 distinct values of every header that is read', async t => {
    for (const name of HEADERS) await bear(t, name, () => sendHeaders(service, name))
  })

  await t.test('the dearest messages of their size', async t => {
    const call = (sent: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_datasets","arguments":${sent}}}`
    const unknown = Array.from({ length: 6000 }, (_, index) => `"a${index}":1`).join(',')
    const messages = {
      'unknown arguments': call(`{${unknown}}`),
      'nested arguments': call(`{"a":${'['.repeat(8000)}${']'.repeat(8000)}}`),
      'lists of tools': '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      initialize:
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}',
    }
    for (const [what, message] of Object.entries(messages)) await bear(t, what, () => post(service, message))
    const asked = doors.flatMap(({ method, route, address }) =>
      method === 'GET' && !route.endsWith('/stream') ? [address.replace(/\?.*/, '')] : [],
    )
    const query = `${'a=&'.repeat(1500)}${'%,'.repeat(500)}`
    const long = asked.map(path => `${path}?${query}`)
    await bear(t, 'long queries', () => getOften(service, long))
  })

  const errors = service.log.filter(({ level }) => level >= 50)
  assert.deepEqual(errors.slice(0, 3), [], `${errors.length} lines at error level`)
})

/** The doors with large bodies, and the others; the stream of events is among neither, as it has no body to read whole. */
async function bySize(service: Serving, doors: readonly Door[]): Promise<[large: Door[], small: Door[]]> {
  const [large, small]: [Door[], Door[]] = [[], []]
  for (const door of doors) {
    if (door.method === 'POST' || door.route.endsWith('/stream')) continue
    const { status, text } = await service.get(door.address)
    assert.ok([200, 302].includes(status), `${status} of ${door.address}`)
    const list = text.length < LARGE_BYTES ? small : large
    list.push(door)
  }
  return [large, small]
}

/** What a process takes for its first streams of each kind, it keeps. */
async function warmUp(service: Serving, large: readonly Door[]): Promise<void> {
  for (const coding of CODINGS) for (const door of large) await readPlainly(service, door, coding, WARMING)
}

/** Reads a part now and then, each reader from an address of its own. */
async function readSlowly(
  t: TestContext,
  service: Serving,
  doors: readonly Door[],
  coding: string,
): Promise<void> {
  const { ask } = unreadConnections(t, service)
  for (let first = 0; first < doors.length; first += SLOW.readers) {
    const sockets: Socket[] = []
    for (let reader = 0; reader < SLOW.readers; reader++) {
      const door = doors[(first + reader) % doors.length]
      const socket = await ask(
        [door?.address ?? ''],
        `Accept-Encoding: ${coding}\r\n`,
        `127.0.1.${1 + reader}`,
      )
      socket.on('data', () => socket.pause())
      sockets.push(socket)
    }
    const reading = setInterval(() => {
      for (const socket of sockets) socket.resume()
    }, SLOW.everyMs)
    await pause(SLOW.forMs)
    clearInterval(reading)
    for (const socket of sockets) socket.destroy()
  }
}

/** Reads as fast as it can, for a while: all from one address. */
async function readPlainly(
  service: Serving,
  { address }: Door,
  coding: string,
  { readers, forMs } = PLAIN,
): Promise<void> {
  const agent = new Agent()
  const ending = AbortSignal.timeout(forMs)
  setMaxListeners(0, ending)
  const read = async () => {
    while (!ending.aborted) {
      const headers = { 'accept-encoding': coding }
      const { body } = await request(service.url + address, { dispatcher: agent, headers, signal: ending })
      await body.dump({ limit: Number.POSITIVE_INFINITY })
    }
  }
  await Promise.allSettled(Array.from({ length: readers }, read))
  await agent.destroy()
}

/** Downloads the register one time after another, and returns the statuses of what came whole. */
async function download(service: Serving, localAddress: string, times: number): Promise<number[]> {
  const agent = new Agent({ localAddress })
  const statuses: number[] = []
  for (let time = 0; time < times; time++) {
    const { statusCode, body } = await request(`${service.url}/v1/vehicles.csv`, { dispatcher: agent })
    for await (const _ of body);
    statuses.push(statusCode)
  }
  await agent.destroy()
  return statuses
}

/** Opens 150 downloads of one host, reads nothing, and closes them. */
async function burst(t: TestContext, service: Serving): Promise<void> {
  const { ask } = unreadConnections(t, service)
  const sockets: Socket[] = []
  for (let each = 0; each < 150; each++) sockets.push(await ask(['/v1/vehicles.ndjson'], '', ATTACKER))
  await pause(1000)
  for (const socket of sockets) socket.destroy()
}

/** The request headers that the service reads. */
const HEADERS = [
  ...['accept', 'accept-encoding', 'host', 'if-modified-since', 'if-none-match', 'if-range', 'last-event-id'],
  ...['prefer', 'range', 'x-forwarded-for'],
]
const VALUES = 12_000
const VALUE_BYTES = 7000

/** Sends 12,000 values of a header, each of 7 KB, on a few connections. */
async function sendHeaders(service: Serving, name: string): Promise<void> {
  const port = Number(new URL(service.url).port)
  const padding = 'x'.repeat(VALUE_BYTES)
  let sent = 0
  const send = async () => {
    let socket = connect(port, '127.0.0.1').on('error', () => {})
    while (sent < VALUES) {
      // What is refused ends its connection.
      if (socket.destroyed || !socket.writable) socket = connect(port, '127.0.0.1').on('error', () => {})
      const value = `a${sent++}, ${padding}`
      const host = name === 'host' ? value : 'a'
      const own = name === 'host' ? '' : `${name}: ${value}\r\n`
      socket.write(`HEAD /v1/toilets HTTP/1.1\r\nHost: ${host}\r\n${own}\r\n`)
      const waiting = new AbortController()
      const { signal } = waiting
      await Promise.race([once(socket, 'data', { signal }), once(socket, 'close', { signal })]).catch(
        () => {},
      )
      waiting.abort()
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: 8 }, send))
}

/** Repeats a request on twenty connections for a while. */
async function repeat(asking: (agent: Agent, turn: number) => Promise<unknown>): Promise<void> {
  const agent = new Agent({ connections: 20 })
  const end = performance.now() + 3000
  let turn = 0
  const ask = async () => {
    while (performance.now() < end) await asking(agent, turn++)
  }
  await Promise.all(Array.from({ length: 20 }, ask))
  await agent.destroy()
}

const post = (service: Serving, body: string) =>
  repeat(async dispatcher => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const response = await request(`${service.url}/mcp`, { method: 'POST', headers, body, dispatcher })
    await response.body.dump()
    assert.ok([200, 400, 413, 503].includes(response.statusCode), `${response.statusCode}`)
  })

const getOften = (service: Serving, paths: readonly string[]) =>
  repeat(async (dispatcher, turn) => {
    const { body } = await request(service.url + paths[turn % paths.length], { dispatcher })
    await body.dump()
  })

/** Starts the probe. The function that is returned gives the slowest answer since its last call, in milliseconds. */
function probing(t: TestContext, { adminUrl }: Serving): () => Promise<number> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROBE, `${adminUrl}/livez`])
  t.after(() => child.kill())
  return async () => {
    child.stdin.write('?')
    const [told] = await once(child.stdout, 'data')
    return Number(told)
  }
}
