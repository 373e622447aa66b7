import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { makeFolders } from './folder.ts'

test('a folder is made with those that it lies in', async t => {
  const folder = join(await emptyFolder(t), 'a/b')
  for (let time = 0; time < 2; time++) await makeFolders(folder)
  assert.ok(existsSync(folder))
})

test('a folder below one in which none can be made is an error, not an endless loop', async () => {
  await assert.rejects(makeFolders('/proc/nothing/below'), { code: 'ENOENT' })
})
