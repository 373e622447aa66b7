import assert from 'node:assert/strict'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { openStore } from '../../src/store/open-store.ts'
import { backUp, verifyBackup } from '../../src/store/transfer/transfer.ts'
import { STORED } from '../support/filled-stores.ts'
import { emptyFolder } from '../support/folder.ts'
import { holdIndexes } from '../support/held-indexes.ts'
import { pds } from '../support/pds.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { run } from '../support/postgres-server.ts'
import { makeSite } from '../support/site.ts'
import { fillWithDatasets, linesOf } from '../support/store-content.ts'
import { ENGINES } from '../support/store-engines.ts'
import { startStoreProcess } from '../support/store-process.ts'
import { until } from '../support/until.ts'

const options = { skip: postgresFolder() === undefined && NO_POSTGRES }

test('a server on an empty store serves what is restored into it, beside one on the source', async t => {
  const source = await makeSite(t)
  await fillWithDatasets(`sqlite:${source.data}`, 500)
  const target = await makeSite(t)
  const [from, to] = [await source.serve(), await target.serve()]
  assert.equal((await to.get('/v1/toilets')).status, 503)
  const file = join(source.folder, 'backup.gz')
  const written = await pds(source.folder, ['backup', file])
  assert.deepEqual([written.status, written.stderr], [0, ''])
  assert.deepEqual(await pds(target.folder, ['restore', file, '--json']).then(({ status }) => status), 0)
  for (const path of ['/v1/toilets', '/v1/vehicles?limit=3']) {
    await until(async () => (await to.get(path)).status === 200, `the restored release at ${path}`)
    assert.equal((await to.get(path)).text, (await from.get(path)).text)
  }
  assert.deepEqual(await linesOf(t, `sqlite:${target.data}`), await linesOf(t, `sqlite:${source.data}`))

  const again = await pds(target.folder, ['restore', file])
  assert.equal(again.status, 1)
  assert.match(again.stderr, /^error: .* is not empty \(its table \w+ has rows\).*\n$/)
})

test('a backup passes through a pipe whole, with its report beside it; a closed or full output ends with an error', async t => {
  const source = await makeSite(t)
  await fillWithDatasets(`sqlite:${source.data}`, 500)
  const child = source.start(['backup', '-', '--json'])
  const [content, report, [status]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  assert.equal(status, 0)
  const { to, bytes, sha256 } = JSON.parse(report)
  assert.deepEqual([to, bytes], ['-', content.length])
  const target = await makeSite(t)
  const verified = await pds(target.folder, ['backup', '--verify', '-', '--json'], { input: content })
  const { from, ...checked } = JSON.parse(verified.stdout)
  assert.deepEqual([from, checked.bytes, checked.sha256], ['-', bytes, sha256])
  const cut = await pds(target.folder, ['restore', '-'], { input: content.subarray(0, 99) })
  assert.deepEqual([cut.status, cut.stdout], [1, ''])
  assert.match(cut.stderr, /^error: standard input, line 1: the file is cut off here; .*\n$/)
  const restored = await pds(target.folder, ['restore', '-'], { input: content })
  assert.match(restored.stdout, /^restored standard input into sqlite:/)
  assert.deepEqual(await linesOf(t, `sqlite:${target.data}`), await linesOf(t, `sqlite:${source.data}`))

  const closed = source.start(['backup', '-'])
  closed.stdout.destroy()
  assert.equal(await text(closed.stderr), 'error: standard output was closed: the backup is not whole\n')
  const full = source.start(['backup', '-'], {}, { first: 'exec > /dev/full' })
  assert.match(await text(full.stderr), /^error: the disk is full: .*\n$/)
  for (const ended of [closed, full]) assert.equal(ended.exitCode ?? (await once(ended, 'exit'))[0], 1)
  assert.deepEqual(await readdir(source.folder), ['data'])
})

test('a forged backup is refused before anything is in the store, without its text on the terminal', async t => {
  const source = await makeSite(t)
  await fillWithDatasets(`sqlite:${source.data}`, 3)
  const [file, forged] = [join(source.folder, 'backup.gz'), join(source.folder, 'forged.gz')]
  assert.equal((await pds(source.folder, ['backup', file])).status, 0)
  const content = gunzipSync(await readFile(file)).toString()
  const before = content.slice(0, content.trimEnd().lastIndexOf('\n') + 1)
  const time = /"published_at":"[^"]+"/
  for (const [place, value, reason] of [
    [
      time,
      '"published_at":"\\u001b[31m\u202ered"',
      /published_at of the table releases is "[^"]+"; allowed: a time/,
    ],
    [time, '"published_at":1', /published_at of the table releases is 1; allowed: a time/],
    [
      /"number":1/,
      `"number":${2 ** 53}`,
      /number of the table releases is 9007199254740992; allowed: a whole/,
    ],
    [
      /"name":"Harbour"/,
      '"name":"Harbour","\\u001b[31m":{}',
      /record 1 of the release cannot be kept: its fields/,
    ],
    [/"parish":"St. Helier"/, '"parish":[]', /cannot be kept: parish does not match the schema/],
    [
      /"observations"/,
      '"observations\\u001b[31m"',
      /no place for the table "[^"]+"; it comes from another version/,
    ],
  ] as const) {
    const text = before.replace(place, value)
    assert.notEqual(text, before)
    const sha256 = createHash('sha256').update(text).digest('hex')
    await writeFile(forged, gzipSync(`${text}${JSON.stringify({ sha256 })}\n`))
    const target = await emptyFolder(t)
    for (const words of [
      ['restore', forged],
      ['backup', '--verify', forged],
    ]) {
      const { status, stdout, stderr } = await pds(target, words)
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(stderr, reason)
      assert.match(stderr, /^error: \S+forged\.gz, line \d+: [^\n\p{Cc}\p{Cf}]{1,500}\n$/u)
    }
    assert.equal((await pds(target, ['export', 'toilets'])).status, 1)
    assert.equal((await pds(target, ['restore', file])).status, 0)
  }
})

/** The service promises one second; the rest is for a busy machine. */
const AT_MOST_MS = 2000

/** Terminates a command once something is so, and expects it to end by that, in time. */
async function isTerminated(child: ChildProcessWithoutNullStreams, begun: () => Promise<boolean>) {
  const [stderr, exit] = [text(child.stderr), once(child, 'exit')]
  await until(begun, 'the work')
  const startedAt = performance.now()
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [143, null])
  const milliseconds = performance.now() - startedAt
  assert.ok(milliseconds < AT_MOST_MS, `${Math.round(milliseconds)} ms`)
  // Slow work writes its progress before.
  assert.match(await stderr, /^interrupted: nothing was changed\n$/m)
}

test('a backup that is terminated leaves no file', async t => {
  const site = await makeSite(t)
  await fillWithDatasets(`sqlite:${site.data}`, 30_000)
  const folder = await emptyFolder(t)
  const child = site.start(['backup', join(folder, 'backup.gz')])
  await isTerminated(child, async () => (await readdir(folder)).length > 0)
  assert.deepEqual(await readdir(folder), [])
})

for (const { name, emptyStore } of ENGINES)
  test(`${name}: backups of a store into which an importer publishes on and on have five whole releases`, async t => {
    const source = await emptyStore(t)
    const importer = startStoreProcess(t, 'publish repeatedly', source)
    await importer.nextLine()
    const file = join(await emptyFolder(t), 'backup.gz')
    const store = await openStore(source)
    const newest = async () => (await store.releases.current('vehicles'))?.number ?? 0
    await until(async () => (await newest()) > 5, 'releases that are pruned')
    for (let n = 0; n < 5; n++) {
      const before = await newest()
      const written = await backUp(source, file, { datasets: STORED, replace: true })
      assert.deepEqual(written.missing, [])
      const numbers = written.releases.map(({ number }) => number)
      const [first = 0] = numbers
      assert.deepEqual(
        numbers,
        [0, 1, 2, 3, 4].map(later => first + later),
      )
      assert.ok(first + 4 >= before && first + 4 <= (await newest()), `${numbers}`)
      assert.deepEqual(await verifyBackup(file, { datasets: STORED }), written)
      await until(async () => (await newest()) > before, 'a later release')
    }
    await importer.kill()
    await store.close()
  })

/** Whether a release is being built in a store. */
async function isBeingFilled(address: string): Promise<boolean> {
  if (address.startsWith('sqlite:'))
    return (await readdir(address.slice('sqlite:'.length), { recursive: true })).some(name =>
      /\.(?:tmp|table|gz)$/.test(name),
    )
  const tables = await run(address, "select from pg_catalog.pg_tables where tablename = 'release_pieces'")
  return tables.length > 0 && (await run(address, 'select from pds.release_pieces limit 1')).length > 0
}

for (const { name, emptyStore } of ENGINES)
  test(`${name}: a restore and a copy that are terminated leave the store empty, and nothing in it`, async t => {
    const source = await makeSite(t)
    await fillWithDatasets(`sqlite:${source.data}`, 30_000)
    const file = join(source.folder, 'backup.gz')
    assert.equal((await pds(source.folder, ['backup', file])).status, 0)
    for (const words of [
      ['restore', file],
      ['copy', '--from', `sqlite:${source.data}`],
    ]) {
      const target = await emptyStore(t)
      await isTerminated(source.start(words, { DATABASE_URL: target }), () => isBeingFilled(target))
      const store = await openStore(target)
      assert.equal(await store.releases.sweep(), 0, 'leftovers')
      await store.close()
      const ended = await pds(source.folder, words, { environment: { DATABASE_URL: target } })
      assert.equal(ended.status, 0, ended.stderr)
      assert.doesNotMatch(ended.stderr, /waiting/)
      assert.deepEqual(await linesOf(t, target), await linesOf(t, `sqlite:${source.data}`))
    }
  })

test('a copy that is terminated while a database makes indexes ends at once', options, async t => {
  const source = await makeSite(t)
  await fillWithDatasets(`sqlite:${source.data}`, 30_000)
  const target = await (await cluster()).emptyDatabase()
  const { indexing, release } = await holdIndexes(t, target)
  const bySql = { DATABASE_URL: target, TABLE_ENGINE: 'sql' }
  const child = source.start(['copy', '--from', `sqlite:${source.data}`], bySql)
  await isTerminated(child, async () => (await indexing()) === 1)
  await until(async () => (await indexing()) === 0, 'the server giving up')
  await release()
  const store = await openStore(target)
  assert.equal(await store.releases.sweep(), 0, 'leftovers')
  await store.close()
})

test('a backup that is terminated while it waits for a database ends at once', options, async t => {
  const site = await makeSite(t)
  const source = await (await cluster()).emptyDatabase()
  await fillWithDatasets(source, 10)
  const holder = new Client({ connectionString: source })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('begin; lock table pds.release_pieces')
  const folder = await emptyFolder(t)
  const child = site.start(['backup', join(folder, 'backup.gz')], { DATABASE_URL: source })
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  await isTerminated(child, async () => (await run(source, waiting)).length > 0)
  assert.deepEqual(await readdir(folder), [])
})
