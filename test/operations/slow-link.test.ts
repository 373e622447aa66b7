import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ISLAND } from '../support/island.ts'
import { makeSite } from '../support/site.ts'

const run = promisify(execFile)
const PDS = fileURLToPath(new URL('../../bin/pds', import.meta.url))

/** Runs a command in a network of its own, whose loopback carries 4 KB/s in packets of a phone's size. */
const overSlowLink = (...command: string[]) =>
  run('unshare', [
    '--net',
    ...[
      'sh',
      '-c',
      'ip link set lo mtu 1500 up && tc qdisc add dev lo root tbf rate 34kbit burst 4kb latency 2s && exec "$0" "$@"',
    ],
    ...command,
  ])

const [RECALL] = ISLAND['product-recalls']
const RECALLS = Array.from({ length: 1000 }, (_, index) => ({
  ...RECALL,
  id: 1000 - index,
  problem: randomBytes(2000).toString('hex'),
}))

/** The kernel's buffer grows until more than 20 s pass between two writes: after some 70 s. */
const ENOUGH_BYTES = 400_000

/** Serves a store, and reads a page of it as fast as the link carries it. */
const CLIENT = `
  const { spawn } = await import('node:child_process')
  const [pds, store] = process.argv.slice(1)
  const service = spawn(process.execPath, [pds, 'serve'], {
    env: { DATABASE_URL: store, PORT: '8080', ADMIN_PORT: '0', PAGE_LIMIT_MAX: '1000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of service.stdout) if (String(line).includes('listening')) break
  service.stdout.resume()
  let bytes = 0
  let fault
  try {
    const response = await fetch('http://127.0.0.1:8080/v1/product-recalls?limit=1000')
    for await (const part of response.body) if ((bytes += part.length) > ${ENOUGH_BYTES}) break
  } catch (error) {
    fault = String(error.cause ?? error)
  }
  service.kill('SIGKILL')
  console.log(JSON.stringify({ bytes, fault }))`

test('a phone that takes 4 KB/s is never cut', async t => {
  const reason = await overSlowLink('true').then(
    () => undefined,
    () => 'no link can be made slow here: it takes Linux, root and the programs ip and tc (iproute2)',
  )
  if (reason !== undefined) return t.skip(reason)
  const site = await makeSite(t)
  await site.publish('product-recalls', RECALLS)
  const words = ['--input-type=module', '--eval', CLIENT, PDS, `sqlite:${site.data}`]
  const { stdout } = await overSlowLink(process.execPath, ...words)
  const { bytes, fault } = JSON.parse(stdout)
  assert.equal(fault, undefined, `cut after ${bytes} bytes`)
  assert.ok(bytes > ENOUGH_BYTES)
})
