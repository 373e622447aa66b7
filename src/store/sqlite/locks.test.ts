import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { startStoreProcess } from '../../../test/support/store-process.ts'
import { StoreBusyError } from '../store.ts'
import { takeWriteLock } from './locks.ts'

test('the lock goes with a process that is killed', async t => {
  const folder = await emptyFolder(t)
  const other = startStoreProcess(t, 'hold the write lock', folder)
  assert.equal(await other.nextLine(), 'held')
  await assert.rejects(takeWriteLock(folder), {
    name: 'StoreBusyError',
    message: /another import or rollback is writing to .*try again/,
  })
  await other.kill('SIGKILL')
  const unlock = await takeWriteLock(folder)
  unlock()
})

test('who waits for a process that is killed gets the lock', async t => {
  const folder = await emptyFolder(t)
  const other = startStoreProcess(t, 'hold the write lock', folder)
  assert.equal(await other.nextLine(), 'held')
  const unlock = await takeWriteLock(folder, { waitMs: 60_000, onWait: () => void other.kill('SIGKILL') })
  unlock()
})

test('the event loop turns while the lock is waited for', async t => {
  const folder = await emptyFolder(t)
  const unlock = await takeWriteLock(folder)
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  await assert.rejects(takeWriteLock(folder, { waitMs: 200 }), StoreBusyError)
  clearInterval(turning)
  unlock()
  assert.ok(turns > 5, `${turns} turns`)
})
