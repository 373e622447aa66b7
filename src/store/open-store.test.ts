import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../test/support/folder.ts'
import { openStore } from './open-store.ts'

test('a folder is made where there is none, relative to the working directory', async t => {
  const folder = join(await emptyFolder(t), 'deep', 'store')
  const store = await openStore(`sqlite:${relative(process.cwd(), folder)}`)
  await store.close()
  assert.ok((await stat(folder)).isDirectory())
})

test('an invalid store URL is refused in one line, without its password', async () => {
  for (const address of ['', 'sqlite:', './data', 'mysql://me:secret@host/db', '__proto__:x'])
    await assert.rejects(openStore(address), {
      name: 'StoreUnusableError',
      message: /^(?!.*secret).*sqlite:\.\/data.*$/,
    })
})

test('a folder that is a file, or lies below one, is refused with what to do', async t => {
  const file = join(await emptyFolder(t), 'file')
  await writeFile(file, '')
  for (const path of [file, join(file, 'below')])
    await assert.rejects(openStore(`sqlite:${path}`), {
      name: 'StoreUnusableError',
      message: /is not a folder.*set DATABASE_URL to another/,
    })
})
