import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../support/folder.ts'
import { pds, startPds } from '../support/pds.ts'

/** Resolves to the first line that matches; fails with the whole output if that ends before. */
async function lineOf(output: Readable, wanted: RegExp): Promise<RegExpExecArray> {
  const said: string[] = []
  for await (const line of createInterface({ input: output })) {
    said.push(line)
    const match = wanted.exec(line)
    if (match !== null) {
      output.resume()
      return match
    }
  }
  throw new assert.AssertionError({ message: `no line is ${wanted}:\n${said.join('\n')}` })
}

function started(t: TestContext, folder: string, words: string[], environment: Record<string, string> = {}) {
  const child = startPds(folder, words, { PORT: '0', ADMIN_PORT: '0', ...environment })
  t.after(() => child.kill('SIGKILL'))
  return child
}

async function stopped(child: ChildProcess): Promise<number | null> {
  child.kill('SIGINT')
  const [status] = await once(child, 'exit')
  return status
}

test('an empty store is served: 503 for its datasets, and the log says how to fill it', async t => {
  const child = started(t, await emptyFolder(t), ['serve'])
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const first = JSON.parse((await lines.next()).value)
  assert.match(
    first.msg,
    /the store sqlite:\.\/data is empty: `pds import <dataset> <file>` fills it, `pds demo`/,
  )
  let event: { msg?: string; url?: string } = {}
  while (event.msg !== 'listening') event = JSON.parse((await lines.next()).value)
  const answer = await fetch(`${event.url}/v1/toilets`)
  assert.equal(answer.status, 503)
  assert.equal(await stopped(child), 0)
})

test('a port in use ends serve and demo with one clear line and status 1', async t => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  t.after(() => holder.close())
  const port = String((holder.address() as AddressInfo).port)
  const folder = await emptyFolder(t)
  for (const [command, variable] of [
    ['serve', 'PORT'],
    ['serve', 'ADMIN_PORT'],
    ['demo', 'PORT'],
  ] as const) {
    const environment = { PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', [variable]: port }
    const { status, stdout, stderr } = await pds(folder, [command], { environment })
    assert.match(
      stderr,
      new RegExp(`^error: ${variable} ${port} is in use: set ${variable} to another$`, 'm'),
    )
    assert.doesNotMatch(stderr, /\n {4}at /)
    assert.deepEqual([status, stdout], [1, ''])
  }
})

test('the demo fills its store, serves the island marked as synthetic, and says what to open', async t => {
  const folder = await emptyFolder(t)
  const child = started(t, folder, ['demo'], { LOG_LEVEL: 'silent' })
  const [, url] = await lineOf(child.stdout, /vehicles +(http:\S+)\/v1\/vehicles/)
  const [live, vehicles] = await Promise.all([
    fetch(`${url}/v1/carparks/live-spaces`),
    fetch(`${url}/v1/vehicles?limit=1`),
  ])
  assert.deepEqual([live.status, vehicles.status], [200, 200])
  assert.deepEqual(
    [live, vehicles].map(answer => answer.headers.get('synthetic-data')),
    ['true', 'true'],
  )
  assert.ok(((await live.json()) as { results: unknown[] }).results.length > 0)
  assert.ok(
    ((await vehicles.json()) as { pagination: { totalItems: number } }).pagination.totalItems > 100_000,
  )
  assert.equal(await stopped(child), 0)

  const { stdout } = await pds(folder, ['releases'], { environment: { DATABASE_URL: 'sqlite:./data/demo' } })
  assert.equal(stdout.match(/ current .* synthetic$/gm)?.length, 6)
})

test('the demo refuses a store with real data', async t => {
  const folder = await emptyFolder(t)
  const centre = {
    location: 'Hall',
    parish: 'Grouville',
    services: ['GLASS'],
    latitude: 49.19,
    longitude: -2.04,
  }
  await pds(folder, ['import', 'recycling', '-'], { input: JSON.stringify([centre]) })
  const { status, stderr } = await pds(folder, ['demo'], {
    environment: { PORT: '0', ADMIN_PORT: '0', DATABASE_URL: 'sqlite:./data' },
  })
  assert.equal(status, 1)
  assert.match(stderr, /^error: sqlite:\.\/data holds real recycling: unset DATABASE_URL, /m)
})
