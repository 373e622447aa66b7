import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishFirst, swapReleases } from '../support/release-swaps.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const noProc = process.platform !== 'linux' && 'open files are counted in /proc (Linux)'

test('50 releases are published under 8 clients: no response fails, and open files do not grow', {
  skip: noProc,
}, async t => {
  const site = await makeSite(t)
  await publishFirst(site)
  const serving = await site.serve({ VEHICLES_RATE_LIMIT: '0' })
  const openReleases = async () =>
    (await serving.openFiles()).filter(file => file.startsWith(`${site.data}/releases/`)).length
  const atFirst = await openReleases()
  const { answers, swapMs } = await swapReleases(site, serving.url, { swaps: 50, clients: 8 })
  const [median = 0, p95 = 0, slowest = 0] = [25, 47, 49].map(at => Math.round(swapMs[at] ?? 0))
  t.diagnostic(
    `${answers} answers; a swap reached the last client after ${median} ms (median), ${p95} (p95), ${slowest} (slowest)`,
  )
  assert.ok(slowest < 2000)
  t.diagnostic(
    `${await openReleases()} files of releases are open, some for requests that may still read them`,
  )
  await until(async () => (await openReleases()) === atFirst, `only ${atFirst} files of releases being open`)
})
