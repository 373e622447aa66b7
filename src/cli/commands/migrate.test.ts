import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { pds } from '../../../test/support/pds.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../test/support/postgres.ts'

test('pds migrate creates a missing store', async t => {
  const folder = await emptyFolder(t)
  const { status, stdout } = await pds(folder, ['migrate'])
  assert.deepEqual([status, stdout], [0, 'sqlite:./data: ready for this version\n'])
  assert.equal((await pds(folder, ['releases'])).status, 0)
})

test('on PostgreSQL it names the store without a password', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async () => {
  const url = new URL(await (await cluster()).emptyDatabase())
  url.password = 'secret'
  const { status, stdout, stderr } = await pds('.', ['migrate'], { environment: { DATABASE_URL: url.href } })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^postgres:.*: ready for this version\n$/)
  assert.doesNotMatch(stdout + stderr, /secret/)
})
