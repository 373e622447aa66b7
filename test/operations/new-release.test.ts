import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishFirst, swapReleases } from '../support/release-swaps.ts'
import { makeSite } from '../support/site.ts'

test('12 releases are published under 8 clients: no response fails or mixes releases, each is served soon', async t => {
  const site = await makeSite(t)
  await publishFirst(site)
  const serving = await site.serve({ VEHICLES_RATE_LIMIT: '0' })
  const { answers, swapMs } = await swapReleases(site, serving.url, { swaps: 12, clients: 8 })
  const slowestMs = Math.round(swapMs.at(-1) ?? 0)
  // Other tests run beside this one; test/heavy/new-release.test.ts, alone, has the bound of 2 s.
  assert.ok(slowestMs < 5000, `a new release was seen by all only after ${slowestMs} ms`)
  assert.ok(answers > 100)
})
