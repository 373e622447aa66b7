import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { pds } from '../../../test/support/pds.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../test/support/postgres.ts'

test('pds migrate creates a missing store, and says if one is up to date', async t => {
  const folder = await emptyFolder(t)
  for (const said of [
    /: a new store, with version \d+ of the schema\n$/,
    /^sqlite:.\/data: the schema is up to date\n$/,
  ]) {
    const { status, stdout } = await pds(folder, ['migrate'])
    assert.equal(status, 0)
    assert.match(stdout, said)
  }
})

test('on PostgreSQL it says from which version to which, without a password', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async t => {
  const folder = await emptyFolder(t)
  const url = new URL(await (await cluster()).emptyDatabase())
  url.password = 'secret'
  const environment = { DATABASE_URL: url.href }
  const first = await pds(folder, ['migrate', '--json'], { environment })
  assert.equal(first.status, 0, first.stderr)
  const { from, to } = JSON.parse(first.stdout)
  assert.ok(from === 0 && to >= 1)
  const again = await pds(folder, ['migrate'], { environment })
  assert.match(again.stdout, /: the schema is up to date\n$/)
  assert.doesNotMatch(first.stdout + first.stderr + again.stdout + again.stderr, /secret/)
})
