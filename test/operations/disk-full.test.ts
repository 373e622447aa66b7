import assert from 'node:assert/strict'
import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { releaseIn, toiletsOf, vehiclesOf } from '../support/numbered-releases.ts'
import { makeSite } from '../support/site.ts'
import { mountSmallDisk, NO_SMALL_DISK } from '../support/small-disk.ts'
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
