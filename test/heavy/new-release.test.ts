import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishFirst, swapReleases } from '../support/release-swaps.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const noProc = process.platform !== 'linux' && 'open files are counted in /proc (Linux)'

test('100 releases are published under 8 clients: no response fails, and open files do not grow', {
  skip: noProc,
}, async t => {
  const site = await makeSite(t)
  await publishFirst(site)
  const serving = await site.serve({ VEHICLES_RATE_LIMIT: '0' })
  const openReleases = async () =>
    (await serving.openFiles()).filter(file => file.startsWith(`${site.data}/releases/`)).length
  const atFirst = await openReleases()
  const { answers, slowestMs } = await swapReleases(site, serving.url, { swaps: 100, clients: 8 })
  t.diagnostic(
    `${answers} answers; the slowest swap reached the last client after ${Math.round(slowestMs)} ms`,
  )
  assert.ok(slowestMs < 2000)
  t.diagnostic(
    `${await openReleases()} files of releases are open, some for requests that may still read them`,
  )
  await until(async () => (await openReleases()) === atFirst, `only ${atFirst} files of releases being open`)
})
