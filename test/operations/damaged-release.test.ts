import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOILETS } from '../support/island.ts'
import { everywhere, TEST_WORKERS } from '../support/pds.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite } from '../support/site.ts'
import { until } from '../support/until.ts'
import { damage } from '../support/whole-store.ts'

const named = (name: string) => TOILETS.map(toilet => ({ ...toilet, name }))
const namesOf = async (serving: Serving): Promise<string[]> =>
  JSON.parse((await serving.get('/v1/toilets')).text).results.map(({ name }: { name: string }) => name)
const readiness = async (serving: Serving) => {
  const { status, text } = await serving.admin('/readyz')
  return { status, missing: JSON.parse(text).missing as { what: string; since: string; detail: string }[] }
}
const reported = ({ log }: Serving) => log.filter(({ msg }) => msg.includes('damaged'))

test('a damaged release is not served: the intact one before it is, until a new import', async t => {
  const site = await makeSite(t)
  await site.publish('toilets', named('first'))
  await site.publish('toilets', named('second'))
  await damage(site, 'toilets', 2)
  const serving = await site.serve()

  assert.deepEqual(await namesOf(serving), ['first', 'first'])
  const { status, missing } = await readiness(serving)
  assert.equal(status, 200)
  const trouble = missing.find(({ what }) => what === 'toilets')
  assert.match(
    String(trouble?.detail),
    /^release 2 is damaged, release 1 is served: import again or roll back$/,
  )
  assert.ok(Date.parse(String(trouble?.since)) <= Date.now())
  assert.equal((await serving.metrics()).get('pds_release_damaged{dataset="toilets"}'), 1)

  // Other datasets go on, and each worker told the same damage once.
  await site.publish('recycling', [])
  await until(async () => (await serving.get('/v1/recycling')).status === 200, 'the other dataset')
  assert.equal(reported(serving).length, TEST_WORKERS)
  assert.deepEqual([reported(serving)[0]?.dataset, reported(serving)[0]?.release], ['toilets', 2])

  // The same records again must make a new release: it is compared with the intact one, not with the damaged one.
  const { outcome, release, changed } = await site.publish('toilets', named('second'))
  assert.deepEqual([outcome, release?.number, changed], ['published', 3, TOILETS.length])
  const isRepaired = async () => (await namesOf(serving)).every(name => name === 'second')
  await until(() => everywhere(isRepaired), 'the repaired release')
  const isWhole = async () => !(await readiness(serving)).missing.some(({ what }) => what === 'toilets')
  await until(isWhole, 'readiness')
  const isCounted = async () => (await serving.metrics()).get('pds_release_damaged{dataset="toilets"}') === 0
  await until(isCounted, 'the metric')
})

test('if the only release is damaged its dataset is 503 and the service stays alive, until a new import', async t => {
  const site = await makeSite(t)
  await site.publish('toilets', named('only'))
  await damage(site, 'toilets', 1)
  const serving = await site.serve()

  const { status, headers, text } = await serving.get('/v1/toilets')
  assert.deepEqual([status, JSON.parse(text).code], [503, 'DATASET_UNAVAILABLE'])
  assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
  assert.ok(!text.includes(site.folder) && !/sqlite|not published/i.test(text), text)
  assert.equal((await serving.admin('/livez')).status, 200)
  const before = await readiness(serving)
  assert.equal(before.status, 503)
  const trouble = before.missing.find(({ what }) => what === 'toilets')
  assert.match(String(trouble?.detail), /^release 1 is damaged, nothing is served: import again/)
  assert.equal(reported(serving).length, TEST_WORKERS)

  await site.publish('toilets', named('only'))
  const isServed = async () => (await serving.get('/v1/toilets')).status === 200
  await until(() => everywhere(isServed), 'the repaired release')
  assert.deepEqual(await namesOf(serving), ['only', 'only'])
  await until(async () => (await readiness(serving)).status === 200, 'readiness')
})
