import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../test/support/folder.ts'
import { openStore } from '../store/open-store.ts'
import { interruptibleStore } from './interruptible-store.ts'

const DETAILS = {
  source: 'test',
  synthetic: false,
  changes: { added: 1, changed: 0, removed: 0 },
  firstSeen: new Map(),
}

test('an import that is interrupted before it publishes is dropped and cannot publish any more', async t => {
  const store = await openStore(`sqlite:${join(await emptyFolder(t), 'store')}`)
  t.after(() => store.close())
  const watched = interruptibleStore(store)
  const staging = await watched.store.stage('toilets', { kind: 'documents' })
  await staging.append('a', { id: 'a' })
  await staging.seal()
  assert.equal(await watched.interrupt(), true)
  await assert.rejects(staging.publish(DETAILS))
  assert.equal(await store.current('toilets'), undefined)
  const next = await store.stage('toilets', { kind: 'documents' })
  await next.discard()
})

test('an import that is publishing cannot be interrupted any more', async t => {
  const store = await openStore(`sqlite:${join(await emptyFolder(t), 'store')}`)
  t.after(() => store.close())
  const watched = interruptibleStore(store)
  const staging = await watched.store.stage('toilets', { kind: 'documents' })
  await staging.append('a', { id: 'a' })
  await staging.seal()
  const publishing = staging.publish(DETAILS)
  assert.equal(await watched.interrupt(), false)
  await publishing
  assert.equal((await watched.store.current('toilets'))?.number, 1)
})

test('with nothing staged there is nothing to drop', async t => {
  const store = await openStore(`sqlite:${join(await emptyFolder(t), 'store')}`)
  t.after(() => store.close())
  assert.equal(await interruptibleStore(store).interrupt(), true)
})
