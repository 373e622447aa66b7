import assert from 'node:assert/strict'
import { readdir, readlink } from 'node:fs/promises'
import { test } from 'node:test'
import { pino } from 'pino'
import { DATASETS } from '../../src/datasets/index.ts'
import { followStore } from '../../src/releases/snapshots/snapshots.ts'
import { toiletsOf } from '../support/numbered-releases.ts'
import { publishFirst, swapReleases } from '../support/release-swaps.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

test('12 releases come out while 8 clients keep asking: no answer fails or is mixed, each is there within 2 s', async t => {
  const site = await makeSite(t)
  await publishFirst(site)
  const serving = await site.serve({ VEHICLES_RATE_LIMIT: '0' })
  const { answers, slowestMs } = await swapReleases(site, serving.url, { swaps: 12, clients: 8 })
  t.diagnostic(
    `${answers} answers; the slowest swap reached the last client after ${Math.round(slowestMs)} ms`,
  )
  assert.ok(slowestMs < 2000, `a new release was seen by all only after ${Math.round(slowestMs)} ms`)
  assert.ok(answers > 100)
})

const noProc = process.platform !== 'linux' && 'open files are counted in /proc (Linux)'

test('releases that have been replaced are closed: no file stays open however many there were', {
  skip: noProc,
}, async t => {
  const site = await makeSite(t)
  await site.publish('toilets', toiletsOf(1))
  const snapshots = followStore({
    ...{ store: site.store, datasets: DATASETS, log: pino({ level: 'silent' }) },
    ...{ pollMs: 5, retireAfterMs: 0 },
    loadTable: () => Promise.reject(new Error('no table is published')),
  })
  await snapshots.start()
  for (let number = 2; number <= 20; number++) {
    await site.publish('toilets', toiletsOf(number))
    await until(() => snapshots.get('toilets')?.release.number === number, `release ${number}`)
  }
  await until(async () => (await openReleases(site.data)) === 1, 'only the current release being open')
  await snapshots.stop()
  assert.equal(await openReleases(site.data), 0)
})

/** Files of releases that this process holds open, removed ones included. */
async function openReleases(data: string): Promise<number> {
  const names = await readdir('/proc/self/fd')
  const links = await Promise.all(names.map(name => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return links.filter(link => link.startsWith(`${data}/releases/`)).length
}
