import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gather } from '../support/crowd.ts'
import { openStream } from '../support/event-streams.ts'
import type { Instance } from '../support/fleet.ts'
import type { Question } from '../support/flood.ts'
import { losePacketsTo, noLostPackets } from '../support/lost-packets.ts'
import { startProcess } from '../support/other-process.ts'
import { exchange } from '../support/raw-http.ts'
import { unreadConnections } from '../support/unread.ts'
import { until } from '../support/until.ts'
import { HOSTILE } from './settings.ts'
import type { Fault, Faults } from './stage.ts'

const HELD_MS = 3000
/** Connections that may have come meanwhile of others than the hostile client. */
const OTHERS = 8

const portOf = ({ url }: Instance) => Number(new URL(url).port)
const sockets = async (instance: Instance) =>
  (await instance.serving().openFiles()).filter(name => name.startsWith('socket:')).length

/** Does something to one instance, and waits until it has closed the connections. */
const toOne =
  (attack: (instance: Instance, ...rest: Parameters<Fault>) => Promise<unknown>): Fault =>
  async (stage, t) => {
    const instance = stage.random.pick(stage.fleet)
    const before = await sockets(instance)
    await attack(instance, stage, t)
    await until(async () => (await sockets(instance)) <= before + OTHERS, 'connections being closed', 60_000)
  }

const unread = (clients: number, paths: (client: number) => readonly string[], headers?: string): Fault =>
  toOne(async (instance, _, t) => {
    const { ask } = unreadConnections(t, instance)
    for (let client = 0; client < clients; client++) await ask(paths(client), headers)
  })

const pipelineAndClose: Fault = toOne(async (instance, _, t) => {
  const { ask } = unreadConnections(t, instance)
  const paths = Array.from({ length: 500 }, () => '/openapi.json')
  for (const socket of await Promise.all(Array.from({ length: 10 }, () => ask(paths))))
    socket.resetAndDestroy()
})

const readSlowly: Fault = toOne(async (instance, _, t) => {
  const { ask } = unreadConnections(t, instance)
  const readers = await Promise.all(
    Array.from({ length: 40 }, (_, page) => ask([`/v1/vehicles?limit=5000&page=${1 + (page % 8)}`])),
  )
  for (const until = performance.now() + HELD_MS; performance.now() < until; await pause(100))
    for (const reader of readers) reader.read(1024)
})

const flood = (question: Question, coding: string): Fault =>
  toOne(async (instance, _, t) => {
    const program = join(import.meta.dirname, '../support/flood.ts')
    const words = [String(portOf(instance)), HOSTILE, coding, question]
    const client = startProcess(t, program, ...words)
    assert.equal(await client.nextLine(), 'open')
    await pause(HELD_MS)
    await client.kill()
  })

const idle = (bytes: string): Fault =>
  toOne(async ({ url }, _, t) => {
    const { closed } = await gather(t, url, 1000, bytes, () => HOSTILE)
    await until(() => closed.length === 1000, 'all being closed')
  })

const MALFORMED = [
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(9000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\n${'X-Filler: filler\r\n'.repeat(3000)}\r\n`,
  `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  randomBytes(5000),
]

const malformed: Fault = toOne(async instance => {
  for (const bytes of MALFORMED)
    for (const { closed, status } of await Promise.all(
      Array.from({ length: 20 }, () => exchange(portOf(instance), bytes)),
    )) {
      assert.ok(closed, 'its connection is closed')
      assert.ok(status === 0 || (status >= 400 && status < 500), String(status))
    }
})

let vanished = 0

const VANISHING = 20

/** How many streams may still be open for clients that have vanished. */
export const vanishedClients = () => vanished * VANISHING

/** They stay lost: their streams end after ten minutes. */
const vanish: Fault = async ({ random, fleet, whole }) => {
  const address = `127.77.${process.pid % 250}.${++vanished}`
  const reason = await noLostPackets(address)
  if (reason !== false) return whole.diagnostic(reason)
  const url = `${random.pick(fleet).url}/v1/carparks/live-spaces/stream`
  await Promise.all(Array.from({ length: VANISHING }, () => openStream(whole, url, {}, address)))
  await losePacketsTo(whole, address)
}

const recalls = Array.from({ length: 600 }, (_, index) => `/v1/product-recalls?limit=${250 + index}`)

/** What hostile and unlucky clients do. */
export const CLIENT_FAULTS: Faults = {
  'ten pipeline 600 recalls in br, and read nothing': unread(10, () => recalls, 'Accept-Encoding: br\r\n'),
  'ten pipeline 500 files, and leave': pipelineAndClose,
  '40 read pages of 5,000 vehicles slowly': readSlowly,
  '60 ask for 10,000 vehicles and read nothing': unread(60, client => [
    `/v1/vehicles?limit=10000&page=${1 + (client % 4)}`,
  ]),
  '400 ask for 900 recalls and read nothing': unread(400, client => [
    `/v1/product-recalls?limit=${896 + (client % 4)}`,
  ]),
  '400 connections ask for recalls in br': flood('recalls of any limit', 'br'),
  '400 connections ask for deep pages of vehicles in gzip': flood('deep pages of vehicles', 'gzip'),
  '400 connections ask for histories': flood('distinct histories', 'identity'),
  '400 connections ask with thousands of errors': flood('queries full of errors', 'br'),
  '1,000 connections without a request': idle(''),
  '1,000 connections with half a request': idle('GET /v1/toilets HTTP/1.1\r\nHost: a\r\nX: '),
  '120 malformed requests': malformed,
  '20 clients of the stream vanish': vanish,
}
