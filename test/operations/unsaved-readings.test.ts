import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { CARPARKS } from '../support/island.ts'
import { entry, payload, startUpstream } from '../support/misbehaving-upstream.ts'
import { startPds } from '../support/pds.ts'
import { makeSite } from '../support/site.ts'
import { mountSmallDisk, NO_SMALL_DISK } from '../support/small-disk.ts'
import { until } from '../support/until.ts'

test('a full disk keeps live readings from being saved: they are served, counted, logged once, and saved again', async t => {
  const disk = await mountSmallDisk(2)
  if (disk === undefined) return t.skip(NO_SMALL_DISK)
  const site = await makeSite(t, disk.folder)
  t.after(() => disk.remove())
  await site.publish('carparks', CARPARKS)
  let reading = 0
  const entries = () => Array.from({ length: 50 }, (_, index) => entry(`PARK${index}`, ++reading % 300))
  const upstream = await startUpstream((_request, response) =>
    response.setHeader('content-type', 'application/json').end(payload(entries(), new Date().toISOString())),
  )
  t.after(() => upstream.close())
  const serving = await site.serve({ LIVE_FEED_URL: upstream.url, LIVE_FEED_INTERVAL_S: '1' })
  const spaces = async () => {
    const { status, text } = await serving.get('/v1/carparks/live-spaces')
    assert.equal(status, 200)
    return JSON.parse(text).timestamp
  }
  const notSaved = async () => (await serving.metrics()).get('pds_readings_not_saved_total')
  const events = (name: string) => serving.log.filter(({ event }) => event === name)
  await until(async () => (await site.store.readings.latestObservation()) !== undefined, 'a saved reading')
  assert.equal(await notSaved(), 0)

  const other = join(disk.folder, 'other')
  const { bfree, bsize } = await statfs(disk.folder)
  await writeFile(other, Buffer.alloc((bfree - 1) * bsize))
  await until(async () => Number(await notSaved()) >= 2, 'readings that cannot be saved')
  const before = await spaces()
  await until(async () => (await spaces()) > before, 'the next reading')
  const [event, ...more] = events('readings-not-saved')
  assert.match(JSON.stringify(event?.err), /the disk is full: free some space and try again/)
  assert.deepEqual(more, [])

  await rm(other)
  await until(() => events('readings-saved-again').length === 1, 'readings being saved again')
  const { timestamp } = (await site.store.readings.latestObservation()) ?? {}
  assert.ok(timestamp !== undefined && timestamp > before)
})

test('a disk that fails late in an import of history is what the error says', async t => {
  const site = await makeSite(t)
  await site.publish('carparks', CARPARKS)
  const rows = Array.from({ length: 60_000 }, (_, n) => `${new Date(n * 60_000).toISOString()},${n % 500}\n`)
  await writeFile(join(site.folder, 'history.csv'), `date,Harbour Street\n${rows.join('')}`)
  // The kernel refuses to let files grow beyond 800 blocks, which SQLite gets as an error of the disk.
  const child = startPds(
    site.folder,
    ['import', 'live-spaces', 'history.csv'],
    {},
    { first: 'ulimit -f 800' },
  )
  const [stderr, stdout, [status]] = await Promise.all([
    text(child.stderr),
    text(child.stdout),
    once(child, 'close'),
  ])
  assert.match(
    stderr,
    /^error: .*registry\.sqlite cannot be read or written: the disk reports an error; check the disk/m,
  )
  assert.doesNotMatch(stderr, /bug|\n.*\n.*error/)
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' })
  assert.deepEqual(await site.store.readings.keptHistory(), [])
})
