import assert from 'node:assert/strict'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { receive } from './source-address.ts'

/** The bytes of a single page, once it has been received. */
const received = (chunks: AsyncGenerator<Buffer>) => {
  const unused = async (): Promise<never> => assert.fail('there is no other page')
  const url = new URL('http://localhost/')
  return receive({ url, headers: {}, validators: {}, chunks, open: unused, close: unused })
}

/** Sets the folder of temporary files for a test. */
function setTemporaryFolder(t: TestContext, folder: string): void {
  const { TMPDIR: before } = process.env
  process.env.TMPDIR = folder
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
}

test('gives the bytes in their order once all are there, and leaves no file', async t => {
  const folder = await emptyFolder(t)
  setTemporaryFolder(t, folder)
  const sent: string[] = []
  async function* chunks() {
    for (const text of ['name,', 'parish\n', 'Hall,Grouville\n']) {
      sent.push(text)
      yield Buffer.from(text)
    }
  }
  let text = ''
  for await (const chunk of received(chunks())) {
    assert.equal(sent.length, 3)
    text += chunk
  }
  assert.equal(text, sent.join(''))
  assert.deepEqual(await readdir(folder), [])
})

test('passes on the failure of the sender, and says in one line where no file can be made', async t => {
  const folder = await emptyFolder(t)
  setTemporaryFolder(t, folder)
  async function* breaksOff() {
    yield Buffer.from('name')
    throw new Error('broken off')
  }
  await assert.rejects(received(breaksOff()).next(), /^Error: broken off$/)
  process.env.TMPDIR = join(folder, 'gone')
  await assert.rejects(received(breaksOff()).next(), {
    message: `${join(folder, 'gone')} takes no temporary file (ENOENT); TMPDIR names another folder`,
  })
  await mkdir(join(folder, 'gone'))
  await assert.rejects(received(breaksOff()).next(), /^Error: broken off$/)
})
