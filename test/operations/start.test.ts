import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { listeningPorts } from '../support/listening-ports.ts'
import { makeSite, type Site } from '../support/site.ts'

/** Runs `pds serve` where it cannot start. */
async function failToStart(site: Site, environment: Record<string, string>) {
  const child = site.start(['serve'], { PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'info', ...environment })
  // A start that succeeds would never end.
  child.stdout.on('data', (lines: Buffer) => lines.includes('"listening"') && child.kill('SIGKILL'))
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { stderr, status }
}

test('an invalid setting stops the start with one line that names it, and status 2', async t => {
  const site = await makeSite(t)
  const wrong = [
    [
      'LIVE_FEED_URL',
      'ftp://feed.example',
      /^error: LIVE_FEED_URL is "ftp:\/\/feed\.example"; allowed: .*\n$/,
    ],
    ['METADATA', './none.json', /^error: METADATA: \.\/none\.json: cannot be read \(ENOENT\); .*\n$/],
    ['UNAVAILABLE_DATASETS', 'toilet', /^error: UNAVAILABLE_DATASETS .*"toilet".*toilets.*\n$/],
  ] as const
  await Promise.all(
    wrong.map(async ([name, value, says]) => {
      const { status, stderr } = await failToStart(site, { [name]: value })
      assert.match(stderr, says)
      assert.equal(status, 2)
    }),
  )
})

test('a port in use stops the start with one line that names the setting, and status 1', async t => {
  const site = await makeSite(t)
  const port = await freePort()
  const holder = createServer().listen(port, '127.0.0.1')
  await once(holder, 'listening')
  t.after(() => holder.close())
  await Promise.all(
    ['PORT', 'ADMIN_PORT'].map(async name => {
      const { status, stderr } = await failToStart(site, { [name]: String(port) })
      assert.equal(stderr, `error: ${name} ${port} is in use: set ${name} to another\n`)
      assert.equal(status, 1)
    }),
  )
})

const noProc = process.platform !== 'linux' && 'what a process listens on is read from /proc (Linux)'

test('an empty store is served: every dataset is 503, and the log says how to import', async t => {
  const site = await makeSite(t)
  const serving = await site.serve({ ADMIN_PORT: '0' })
  for (const path of ['/v1/vehicles', '/v1/vehicles/makes', '/v1/toilets', '/v1/carparks/live-spaces']) {
    const { status, headers, text } = await serving.get(path)
    assert.equal(status, 503, path)
    assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
    assert.equal(JSON.parse(text).code, 'DATASET_UNAVAILABLE')
  }
  for (const path of ['/', '/docs/', '/openapi.json', '/v1/datasets'])
    assert.equal((await serving.get(path)).status, 200, path)
  const hint = serving.log.filter(({ msg }) => msg.includes('pds import'))
  assert.equal(hint.length, 1)

  await t.test('ADMIN_PORT=0 switches the admin listener off', { skip: noProc }, async () => {
    assert.equal(serving.adminUrl, '')
    const ports = await listeningPorts(await serving.openFiles())
    assert.deepEqual(ports, [Number(new URL(serving.url).port)])
  })
  assert.equal((await serving.stop()).status, 0)
})
