import assert from 'node:assert/strict'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { TOILETS } from '../../../test/support/island.ts'
import {
  answersConditionally,
  type Behaviour,
  pausesHalfway,
  startUpstream,
} from '../../../test/support/misbehaving-upstream.ts'
import { publish, temporaryStore } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { toilets } from '../../datasets/toilets/index.ts'
import type { Store } from '../../store/store.ts'
import { importSource } from './import-source.ts'

const BODY = JSON.stringify({ results: TOILETS })

async function setUp(t: TestContext, behaviour: Behaviour) {
  const folder = await emptyFolder(t)
  const store = await temporaryStore(t, `sqlite:${folder}`)
  const server = await startUpstream(behaviour)
  t.after(() => server.close())
  let writing = 0
  const releases: Store['releases'] = {
    ...store.releases,
    stage(...options) {
      writing++
      return store.releases.stage(...options)
    },
  }
  const follow = (validators = {}) =>
    importSource(
      {
        ...{ address: server.url, fetch: { allowPrivate: true } },
        options: { store: { ...store, releases }, dataset: toilets },
      },
      { validators, hash: null },
    )
  return { folder, store, server, follow, isWriting: () => writing > 0 }
}

test('while an address still sends, an import of the same dataset publishes', async t => {
  const { behaviour, goOn } = pausesHalfway(BODY)
  const { store, server, follow, isWriting } = await setUp(t, behaviour)
  const following = follow()
  await until(() => server.requests.length === 1, 'the request')
  await publish(store, 'toilets', TOILETS.slice(1))
  assert.equal(isWriting(), false)
  goOn()
  const followed = await following
  assert.equal(followed.outcome === 'published' && followed.release, 2)
})

test('where the current release is damaged, an unchanged source is fetched and published again', async t => {
  const { folder, store, server, follow } = await setUp(t, answersConditionally(BODY, '"one"'))
  await follow()
  const validators = { etag: '"one"' }
  assert.equal((await follow(validators)).outcome, 'not changed')
  const damaged = await store.releases.current('toilets')
  await truncate(join(folder, 'releases/toilets/1.sqlite'), 100)
  assert.equal((await follow(validators)).outcome, 'published')
  const [, conditional, whole] = server.requests
  assert.deepEqual([conditional?.['if-none-match'], whole?.['if-none-match']], ['"one"', undefined])
  const repaired = await store.releases.current('toilets')
  assert.deepEqual([repaired?.number, repaired?.hash], [2, damaged?.hash])
  assert.equal((await follow(validators)).outcome, 'not changed')
})
