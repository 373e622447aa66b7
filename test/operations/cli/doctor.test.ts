import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, truncate, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Check } from '../../../src/cli/doctor/check.ts'
import { emptyFolder } from '../../support/folder.ts'
import { packMapFile } from '../../support/map-file.ts'
import { answers, answersStatus, entry, payload, startUpstream } from '../../support/misbehaving-upstream.ts'
import { pds } from '../../support/pds.ts'

const FREE_PORTS = { PORT: '0', ADMIN_PORT: '0' }
const CENTRE = {
  location: 'Hall',
  parish: 'Grouville',
  services: ['GLASS'],
  latitude: 49.19,
  longitude: -2.04,
}

async function checksIn(folder: string, environment: Record<string, string>) {
  const { status, stdout } = await pds(folder, ['doctor', '--json'], {
    environment: { ...FREE_PORTS, ...environment },
  })
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] }
  assert.equal(status, ok ? 0 : 1)
  const about = (subject: string) => checks.find(check => check.subject === subject)
  return { status, checks, about, stdout }
}

async function heldPort(t: TestContext): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return String((server.address() as AddressInfo).port)
}

test('a sound installation: every line ok or worth a look, nothing made', async t => {
  const folder = await emptyFolder(t)
  const { status, stdout } = await pds(folder, ['doctor'], { environment: FREE_PORTS })
  assert.equal(status, 0)
  const isOld = process.versions.node.startsWith('20.')
  assert.match(stdout, isOld ? /^warn +node +20\.\d.* 30 April 2026\n +-> install/m : /^ok +node +\d+/m)
  assert.match(stdout, /^ok +PAGE_LIMIT_MAX +1000000 \(default\)$/m)
  assert.match(stdout, /^warn +store +there is none in \.\/data yet\n +-> `pds import/m)
  assert.match(stdout, /\d+ ok, \d+ to look at, 0 to fix\n$/)
  assert.equal(existsSync(join(folder, 'data')), false)
})

test('each invalid variable is named with what is allowed; secrets are not shown', async t => {
  const { status, about, stdout } = await checksIn(await emptyFolder(t), {
    PAGE_LIMIT_MAX: 'many',
    LOG_LEVEL: 'loud',
    BASE_URL: 'https://me:s3cret@example.org',
    DATABASE_URL: 'me:s3cret@host/db',
    DATABASE_READ_URL: 'postgres://me:s3/cret@host/db',
    REDIS_URL: 'redis://:s3cret',
    LIVE_FEED_URL: 'http://127.0.0.1:1/s3cret/feed?key=s3cret',
    NOTIFY_URL: 'https://me:s3cret@hook.example/s3cret',
    NOTIFY_SECRET: `whsec_${Buffer.from('s3cret'.repeat(4)).toString('base64')}`,
    ...{ PORT: '8123', ADMIN_PORT: '8123' },
    UNAVAILABLE_DATASETS: 'toilts',
    LIVE_FEED_INTERVALS: '5',
  })
  assert.equal(status, 1)
  assert.equal(about('PAGE_LIMIT_MAX')?.status, 'fail')
  assert.match(about('PAGE_LIMIT_MAX')?.finding ?? '', /is "many"; allowed: a whole number from 1/)
  assert.equal(about('LOG_LEVEL')?.status, 'fail')
  assert.match(about('BASE_URL')?.finding ?? '', /^BASE_URL is "https:\/\/…@example\.org"/)
  assert.equal(about('LIVE_FEED_URL')?.finding, 'http://127.0.0.1:1/…')
  assert.equal(about('NOTIFY_URL')?.finding, 'https://…@hook.example/…')
  assert.equal(about('NOTIFY_SECRET')?.finding, '…')
  assert.equal(about('ADMIN_PORT 8123')?.finding, 'is that of PORT')
  assert.doesNotMatch(stdout, /s3|cret|czNj/)
  assert.equal(about('LIVE_FEED_INTERVALS')?.advice, 'if LIVE_FEED_INTERVAL_S is meant, rename it')
})

test('each dataset is listed with its release; a damaged one fails and says what to do', async t => {
  const folder = await emptyFolder(t)
  await pds(folder, ['import', 'recycling', '-'], { input: JSON.stringify([CENTRE]) })
  const sound = await checksIn(folder, {})
  assert.match(sound.about('recycling')?.finding ?? '', /^release 1, 1 row, published .* ago, verified$/)
  assert.equal(sound.about('toilets')?.status, 'warn')
  assert.equal(sound.about('free space')?.status, 'ok')

  const releases = join(folder, 'data', 'releases', 'recycling')
  for (const name of await readdir(releases)) await truncate(join(releases, name), 100)
  const damaged = await checksIn(folder, {})
  assert.equal(damaged.status, 1)
  assert.equal(damaged.about('recycling')?.status, 'fail')
  assert.match(damaged.about('recycling')?.advice ?? '', /`pds rollback recycling`, or import it again/)
})

test('the file of METADATA is checked, and a release without publisher or licence is named', async t => {
  const folder = await emptyFolder(t)
  await pds(folder, ['import', 'recycling', '-'], { input: JSON.stringify([CENTRE]) })
  const advised = async (content: object) => {
    await writeFile(join(folder, 'metadata.json'), JSON.stringify(content))
    const { status, checks, about } = await checksIn(folder, { METADATA: 'metadata.json' })
    const findings = checks.flatMap(({ finding }) => (finding.startsWith('published') ? [finding] : []))
    return [status, about('metadata')?.status, findings]
  }
  assert.deepEqual(await advised({}), [0, 'ok', ['published without publisher and licence']])
  assert.deepEqual(await advised({ publisher: 'Us' }), [0, 'ok', ['published without licence']])
  const datasets = { recycling: { licence: 'Licence 1' } }
  assert.deepEqual(await advised({ publisher: 'Us', datasets }), [0, 'ok', []])
  assert.deepEqual(await advised({ publishr: 'Us' }), [1, 'fail', []])
})

test('the file of the map is checked', async t => {
  const folder = await emptyFolder(t)
  const checked = async (content: Buffer | string) => {
    await writeFile(join(folder, 'island.pmtiles'), content)
    return (await checksIn(folder, { MAP_FILE: 'island.pmtiles' })).about('map')
  }
  const sound = await checked(packMapFile())
  assert.deepEqual([sound?.status, sound?.finding], ['ok', 'island.pmtiles can be used: zooms 6 to 12, 1 MB'])
  const other = await checked('{}')
  assert.deepEqual([other?.status, other?.finding], ['fail', 'island.pmtiles is not a PMTiles file'])
})

test('the feed is fetched once: its content, or why it failed', async t => {
  const folder = await emptyFolder(t)
  const feed = await startUpstream(answers(payload([entry('A'), entry('B')], new Date().toISOString())))
  t.after(() => feed.close())
  const well = await checksIn(folder, { LIVE_FEED_URL: feed.url })
  assert.equal(well.about('live feed')?.status, 'ok')
  assert.match(well.about('live feed')?.finding ?? '', /^2 car parks, updated \d{4}-/)
  feed.behaviour = answersStatus(404)
  const ill = await checksIn(folder, { LIVE_FEED_URL: feed.url })
  assert.equal(feed.requests.length, 2)
  assert.deepEqual(
    [ill.status, ill.about('live feed')?.status, ill.about('live feed')?.finding],
    [1, 'fail', 'the server responded with status 404'],
  )
})

test('a port in use is a warning, for it may be the service; a host of another machine fails', async t => {
  const folder = await emptyFolder(t)
  const port = await heldPort(t)
  const used = await checksIn(folder, { PORT: port })
  assert.deepEqual(
    [used.about(`PORT ${port}`)?.status, used.about(`PORT ${port}`)?.finding],
    ['warn', 'in use'],
  )
  // TEST-NET-1 (RFC 5737) is no machine's address.
  const foreign = await checksIn(folder, { HOST: '192.0.2.1' })
  assert.equal(foreign.status, 1)
  assert.match(foreign.about('PORT 0')?.finding ?? '', /^HOST 192\.0\.2\.1 is no address of this machine/)
})
