import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parquetMetadata } from 'hyparquet'
import { Agent, request } from 'undici'
import { cpuSeconds } from '../../bench/servers/process.ts'
import { islandSource } from '../../demo/island.ts'
import { emptyFolder } from '../support/folder.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite, makeSqlSite } from '../support/site.ts'
import { measureStream, type StreamingProcess } from '../support/stream-cost.ts'

/*
 * The whole register goes to one client in each format, from a service of its own process over a socket: its memory stays
 * flat, and another client's pages come in between. Times are bounds that a loaded machine keeps.
 */

/** By SQL the database counts the matches of each page of the other client. */
const OTHER = { address: '127.0.0.3', everyMs: 5, maxP99Ms: { memory: 60, sql: 300 } }

/** The kernel counts the time of a process in such pieces. */
const CPU_TICK_MS = 10

/** A small heap is collected soon. A large one grows by 60 MB or not at all, whatever the streams hold. */
const SMALL_HEAP = '--max-old-space-size=96'

/** The addresses of the whole register, and how many records a body has. */
const WHOLE: Readonly<Record<string, (body: Buffer) => number>> = {
  '/v1/vehicles.csv': body => linesOf(body) - 1,
  '/v1/vehicles.ndjson': body => linesOf(body),
  '/v1/vehicles?limit=1000000': body => JSON.parse(body.toString()).results.length,
  '/v1/vehicles.parquet': body => Number(parquetMetadata(body).num_rows),
}

/** So often in a row is the register downloaded, for the other client to be served often meanwhile. */
const TIMES = { memory: 2, sql: 1 }

/** Downloads to a file, in a process of its own: in this one it would hold up the other client. */
const DOWNLOAD = `
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { request } from 'undici'
const [url, file, times] = process.argv.slice(1)
for (let i = 0; i < Number(times); i++) {
  const { statusCode, body } = await request(url)
  if (statusCode !== 200) throw new Error(String(statusCode))
  await pipeline(body, createWriteStream(file))
}
`
const download = (url: string, file: string, times = 1) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '--eval', DOWNLOAD, url, file, String(times)])

const linesOf = (body: Buffer) => body.toString('latin1').split('\n').length - 1

/** The process of a service, which has the pages of another client to serve; none of them is cached. */
function processOf(service: Serving, agent: Agent): StreamingProcess {
  let page = 0
  const pid = service.child.pid ?? assert.fail()
  const cpuMs = () => cpuSeconds(pid) * 1000
  return {
    pid,
    // What earlier streams have left is collected when the service does so.
    rest: async () => {},
    watchOthers() {
      const waits: number[] = []
      let ended = false
      const asking = (async () => {
        while (!ended) {
          const [began, busyMs] = [performance.now(), cpuMs()]
          const path = `/v1/vehicles?color=blue&page=${1 + (page++ % 500)}`
          const { statusCode, body } = await request(service.url + path, { dispatcher: agent })
          await body.text()
          assert.equal(statusCode, 200)
          // Only while the service was computing, so that other programs on the machine do not count.
          waits.push(Math.min(performance.now() - began, cpuMs() - busyMs + CPU_TICK_MS))
          await pause(OTHER.everyMs)
        }
      })()
      return async () => {
        ended = true
        await asking
        return waits
      }
    },
  }
}

test('the whole register is streamed in every format in constant memory, while another client is served', async t => {
  for (const tables of ['memory', 'sql'] as const) {
    const site = await (tables === 'memory' ? makeSite(t) : makeSqlSite(t))
    await site.publish('vehicles', await text(islandSource('vehicles').input))
    const rows = (await site.store.releases.current('vehicles'))?.rows ?? 0
    assert.ok(rows >= 131_000, `${rows} vehicles`)
    const settings = { VEHICLES_RATE_LIMIT: '0', RESPONSE_CACHE_MB: '0', NODE_OPTIONS: SMALL_HEAP }
    const service = await site.serve(settings)
    const agent = new Agent({ localAddress: OTHER.address })
    t.after(() => agent.destroy())
    const file = join(await emptyFolder(t), 'body')
    // The files of the release are streams as well: afterwards the code is compiled, and the heap has its size.
    for (const { path } of JSON.parse((await service.get('/v1/datasets/vehicles/files')).text).files)
      await download(service.url + path, file)
    await download(`${service.url}/v1/vehicles?limit=1000000`, file)
    for (const [path, countRows] of Object.entries(WHOLE)) {
      const stream = async () => {
        await download(service.url + path, file, TIMES[tables])
        return TIMES[tables] * rows
      }
      const watched = processOf(service, agent)
      const { delayP99Ms } = await measureStream(t, `${path} from ${tables}`, stream, watched)
      assert.equal(countRows(await readFile(file)), rows)
      assert.ok(delayP99Ms < OTHER.maxP99Ms[tables], `${path}: another client waited ${delayP99Ms} ms (p99)`)
    }
    await service.stop()
  }
})
