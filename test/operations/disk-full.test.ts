import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openStore } from '../../src/store/open-store.ts'
import { pastReadings } from '../support/filled-stores.ts'
import { emptyFolder } from '../support/folder.ts'
import { releaseIn, toiletsOf, vehiclesOf } from '../support/numbered-releases.ts'
import { pds } from '../support/pds.ts'
import { makeSite } from '../support/site.ts'
import { mountSmallDisk, NO_SMALL_DISK } from '../support/small-disk.ts'
import { fillWithDatasets, linesOf } from '../support/store-content.ts'
import { until } from '../support/until.ts'
import { checkReleases, leftovers } from '../support/whole-store.ts'

/** A register of so many vehicles. */
const register = (rows: number) =>
  `MAKE,MODEL\n${Array.from({ length: rows }, (_, index) => `Make,Model ${index} of very many\n`).join('')}`

test('a disk that runs full ends the import with one line; the current release is still served', async t => {
  const disk = await mountSmallDisk(2)
  if (disk === undefined) return t.skip(NO_SMALL_DISK)
  const site = await makeSite(t, disk.folder)
  t.after(() => disk.remove())
  await site.publish('vehicles', vehiclesOf(1))
  const serving = await site.serve({ VEHICLES_RATE_LIMIT: '0' })
  const served = async () =>
    releaseIn('/v1/vehicles?limit=1000', await serving.get('/v1/vehicles?limit=1000'))
  assert.equal(await served(), 1)
  const free = async () => (await statfs(disk.folder)).bfree
  const freeBefore = await free()
  const before = await site.store.releases.current('vehicles')

  const checkNothingChanged = async () => {
    assert.deepEqual(await checkReleases(site, 'vehicles'), before)
    assert.deepEqual(await leftovers(site, 'vehicles'), [])
    assert.ok((await free()) >= freeBefore, 'the space is free again')
    assert.equal((await serving.admin('/readyz')).status, 200)
  }

  // Too large to be read in.
  const child = site.start(['import', 'vehicles', '-', '--force'])
  child.stdin.on('error', () => {})
  child.stdin.end(register(50_000))
  const asked: number[] = []
  const [stderr, stdout, [status]] = await Promise.all([
    text(child.stderr),
    text(child.stdout),
    once(child, 'close'),
    until(async () => {
      asked.push(await served())
      return child.exitCode !== null
    }, 'the end of the import'),
  ])
  assert.match(stderr, /^error: .* cannot grow because the disk is full: free some space and try again$/m)
  assert.equal(stderr.match(/error/g)?.length, 1, stderr)
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' })
  assert.deepEqual(new Set(asked), new Set([1]))
  await checkNothingChanged()

  // Read in, and then too large to be made a release.
  await assert.rejects(site.publish('vehicles', register(25_000)), /the disk is full/)
  await checkNothingChanged()

  // What fits is published as before.
  await site.publish('toilets', toiletsOf(1))
  await until(async () => (await serving.get('/v1/toilets')).status === 200, 'the next release')
})

test('a backup for which the disk is too small ends with one line; the file that was there stays', async t => {
  const disk = await mountSmallDisk(1)
  if (disk === undefined) return t.skip(NO_SMALL_DISK)
  t.after(() => disk.remove())
  const source = await makeSite(t)
  await fillWithDatasets(`sqlite:${source.data}`, 10_000)
  const file = join(disk.folder, 'backup.gz')
  await writeFile(file, Buffer.alloc(900_000, 'old'))
  const { status, stdout, stderr } = await pds(source.folder, ['backup', file, '--force'])
  assert.deepEqual([status, stdout], [1, ''])
  assert.equal(stderr, `error: ${file}: the disk is full: free some space and try again\n`)
  assert.deepEqual(await readdir(disk.folder), ['backup.gz'])
  assert.deepEqual(await readFile(file), Buffer.alloc(900_000, 'old'))
})

/** Of stores that are too large for a small disk: what is. */
const TOO_LARGE: Readonly<Record<string, (address: string) => Promise<void>>> = {
  releases: address => fillWithDatasets(address, 30_000),
  async readings(address) {
    await fillWithDatasets(address, 10)
    const store = await openStore(address)
    await store.readings.saveHistory(pastReadings(50_000))
    await store.close()
  },
}

for (const [what, fill] of Object.entries(TOO_LARGE))
  test(`a restore of ${what} for which the disk is too small ends with one line and leaves the store empty`, async t => {
    const disk = await mountSmallDisk(2)
    if (disk === undefined) return t.skip(NO_SMALL_DISK)
    t.after(() => disk.remove())
    const folder = await emptyFolder(t)
    const [large, small] = [`sqlite:${join(folder, 'large')}`, `sqlite:${join(folder, 'small')}`]
    await fill(large)
    await fillWithDatasets(small, 100)
    for (const [name, address] of Object.entries({ large, small }))
      await pds(folder, ['backup', `${name}.gz`], { environment: { DATABASE_URL: address } })
    const target = `sqlite:${join(disk.folder, 'data')}`
    const restored = (name: string) =>
      pds(folder, ['restore', `${name}.gz`], { environment: { DATABASE_URL: target } })

    const { status, stdout, stderr } = await restored('large')
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /^error: .* cannot grow because the disk is full: free some space and try again$/m)
    assert.equal(stderr.match(/error/g)?.length, 1, stderr)
    // What could not be filled may be gone again.
    const left = existsSync(join(disk.folder, 'data', 'registry.sqlite')) ? await linesOf(t, target) : []
    assert.ok(left.every(line => line.startsWith('{"table":')))
    assert.equal((await restored('small')).status, 0, 'what fits is restored')
    assert.deepEqual(await linesOf(t, target), await linesOf(t, small))
  })
