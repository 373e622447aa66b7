import assert from 'node:assert/strict'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../test/support/folder.ts'
import { putInPlace, temporaryPath } from './atomic-file.ts'

test('a file gets a free name, and no other, also on a disk without hard links', async t => {
  const path = join(await emptyFolder(t), 'file')
  const temporary = temporaryPath(path)
  t.mock.method(promises, 'link', async () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' })
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  for (const content of ['first', 'second']) {
    await promises.writeFile(temporary, content)
    const placing = putInPlace(temporary, path, false)
    if (content === 'first') await placing
    else await assert.rejects(placing, { code: 'EEXIST' })
    assert.equal(await promises.readFile(path, 'utf8'), 'first')
  }
  await putInPlace(temporary, path, true)
  assert.equal(await promises.readFile(path, 'utf8'), 'second')
})
