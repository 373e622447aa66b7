import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { releaseIn, toiletsOf } from '../support/numbered-releases.ts'
import { startPds } from '../support/pds.ts'
import { watchServing } from '../support/serving.ts'
import { kill, makeSite, type Site } from '../support/site.ts'
import { until } from '../support/until.ts'

const MAJOR = Number.parseInt(process.versions.node, 10)
const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
/** As docs/how-to/run-with-few-rights.md has them; the site is the folder that the command runs in. */
const FLAGS = (site: Site) => [
  MAJOR === 20 ? '--experimental-permission' : '--permission',
  '--allow-worker',
  ...[PROJECT, site.folder].map(folder => `--allow-fs-read=${folder}`),
  ...(MAJOR < 24 ? ['--allow-addons', '--allow-fs-read=/etc'] : []),
  ...(MAJOR < 25 ? [] : ['--allow-net']),
]
const run = promisify(execFile)
const options = { skip: process.env.PDS_TEST_BUILT === undefined && 'it runs what is built: npm test' }

function start(t: TestContext, site: Site, words: string[], flags: string[], environment = {}) {
  const child = startPds(site.folder, words, environment, { flags })
  t.after(() => kill(child))
  return child
}

async function serve(t: TestContext, site: Site, flags: string[], environment = {}) {
  const ports = { PORT: '0', ADMIN_PORT: String(await freePort()) }
  return watchServing(t, start(t, site, ['serve'], flags, { ...ports, ...environment }))
}

/** Imports toilets and gives what the command says. */
async function importToilets(t: TestContext, site: Site, flags: string[], environment = {}) {
  const child = start(t, site, ['import', 'toilets', '-', '--force'], flags, environment)
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(toiletsOf(9)))
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return {
    status,
    error: stderr
      .split('\n')
      .filter(line => line.startsWith('error'))
      .join('\n'),
  }
}

/** Serves a store that it may only read, follows what others publish, and refuses to write. */
async function servesReadOnly(t: TestContext, site: Site, flags: string[], says: RegExp, environment = {}) {
  await site.publish('toilets', toiletsOf(1))
  const serving = await serve(t, site, flags, environment)
  const served = async () => releaseIn('/v1/toilets', await serving.get('/v1/toilets'))
  assert.equal(await served(), 1)
  const { missing } = JSON.parse((await serving.admin('/readyz')).text)
  assert.match(missing.find(({ what }: { what: string }) => what === 'store, primary')?.detail, says)

  await site.publish('toilets', toiletsOf(2))
  await until(async () => (await served()) === 2, 'the next release')
  await site.store.close()
  const other = await importToilets(t, site, flags, environment)
  assert.equal(other.status, 1)
  assert.match(other.error, says)
  assert.equal(await served(), 2)
  assert.equal((await serving.stop()).status, 0)

  const alone = await serve(t, site, flags, environment)
  assert.equal(releaseIn('/v1/toilets', await alone.get('/v1/toilets')), 2)
  assert.equal((await alone.stop()).status, 0)
}

test(
  "under Node's permission model it imports and serves with the flags of the documentation",
  options,
  async t => {
    const site = await makeSite(t)
    const flags = [...FLAGS(site), `--allow-fs-write=${site.data}`]
    assert.deepEqual(await importToilets(t, site, flags), { status: 0, error: '' })
    const serving = await serve(t, site, flags)
    assert.equal(releaseIn('/v1/toilets', await serving.get('/v1/toilets')), 9)
    assert.deepEqual(
      serving.log.filter(({ level }) => level >= 40),
      [],
    )
    assert.equal((await serving.stop()).status, 0)
  },
)

test(
  'without --allow-fs-write it serves what it may read, and says which flag is missing',
  options,
  async t => {
    const site = await makeSite(t)
    const says = new RegExp(
      `${site.data} may not be written under Node's permission model: start Node with --allow-fs-write=${site.data}`,
    )
    await servesReadOnly(t, site, FLAGS(site), says)
  },
)

test('without --allow-fs-read or --allow-addons it says which flag is missing', options, async t => {
  const site = await makeSite(t)
  const without = (part: string) => FLAGS(site).filter(flag => !flag.includes(part))
  const unread = await importToilets(t, site, without(site.folder))
  assert.match(
    unread.error,
    new RegExp(`^error: ${site.data} may not be read .*--allow-fs-read=${site.data}$`),
  )
  assert.equal(unread.status, 1)
  if (MAJOR > 20) return
  const writing = `--allow-fs-write=${site.data}`
  const unloaded = await importToilets(t, site, [...without('addons'), writing])
  assert.match(
    unloaded.error,
    /^error: Node's permission model does not load .*--allow-addons, or use Node 24$/,
  )
})

test('a store on a disk that is mounted read-only is served, and each write says what to do', async t => {
  const site = await makeSite(t)
  const mounted = join(site.folder, 'mounted')
  try {
    await mkdir(mounted)
    await run('mount', ['--bind', site.data, mounted])
  } catch {
    return t.skip('nothing can be mounted here: it takes Linux and root (mount --bind)')
  }
  try {
    await run('mount', ['-o', 'remount,bind,ro', mounted])
    const says =
      /mounted is on a disk that is mounted read-only: mount it for writing, or set DATABASE_URL to another folder$/
    await servesReadOnly(t, site, [], says, { DATABASE_URL: `sqlite:${mounted}` })
  } finally {
    await run('umount', ['-l', mounted])
  }
})
