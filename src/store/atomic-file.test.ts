import assert from 'node:assert/strict'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../test/support/folder.ts'
import { writeWhole } from './atomic-file.ts'

test('a file gets a free name, and no other, also on a disk without hard links', async t => {
  const path = join(await emptyFolder(t), 'file')
  const put = (content: string, replace = false) =>
    writeWhole(path, replace, temporary => promises.writeFile(temporary, content))
  t.mock.method(promises, 'link', async () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' })
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  for (const content of ['first', 'second']) {
    const placing = put(content)
    if (content === 'first') await placing
    else await assert.rejects(placing, { code: 'EEXIST' })
    assert.equal(await promises.readFile(path, 'utf8'), 'first')
  }
  await put('second', true)
  assert.equal(await promises.readFile(path, 'utf8'), 'second')
})
