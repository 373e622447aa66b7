import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryStore } from '../../test/support/service.ts'
import { ENGINES } from '../../test/support/store-engines.ts'

for (const { name, emptyStore } of ENGINES)
  test(`${name}: incidents are kept by their keys until they are removed`, async t => {
    const { incidents } = await temporaryStore(t, await emptyStore(t))
    assert.deepEqual(await incidents.list(), [])
    const feed = { key: 'feed', type: 'a', data: { reason: '“404” \\ \n' } }
    const source = { ...feed, key: 'source' }
    for (const incident of [source, feed, { ...source, data: {} }]) await incidents.save(incident)
    assert.deepEqual(await incidents.list(), [feed, { ...source, data: {} }])
    await incidents.remove('feed')
    await incidents.remove('feed')
    assert.deepEqual(
      (await incidents.list()).map(({ key }) => key),
      ['source'],
    )
  })
