import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { pds } from '../../../test/support/pds.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../../test/support/postgres.ts'

test('pds migrate creates a missing store, and says if there is nothing to take over', async t => {
  const folder = await emptyFolder(t)
  for (const said of [
    /: a new store, with version \d+ of the schema\n$/,
    /^sqlite:.\/data: there is nothing to take over\n$/,
  ]) {
    const { status, stdout } = await pds(folder, ['migrate'])
    assert.equal(status, 0)
    assert.match(stdout, said)
  }
  const finished = await pds(folder, ['migrate', '--finish', '--json'])
  assert.deepEqual(JSON.parse(finished.stdout), { finished: false })
})

test('pds migrate --finish makes no store', async t => {
  const folder = await emptyFolder(t)
  const { status, stdout, stderr } = await pds(folder, ['migrate', '--finish'])
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^error: there is no store in [^\n]*\n$/)
  assert.deepEqual(await readdir(folder), [])
})

test('on PostgreSQL it says from which version to which, without a password', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async t => {
  const folder = await emptyFolder(t)
  const url = new URL(await (await cluster()).emptyDatabase())
  url.password = 'secret'
  const environment = { DATABASE_URL: url.href }
  const none = await pds(folder, ['migrate', '--finish'], { environment })
  assert.equal(none.status, 1)
  assert.match(none.stderr, /^error: there is no store in [^\n]*\n$/)
  const first = await pds(folder, ['migrate', '--json'], { environment })
  assert.equal(first.status, 0, first.stderr)
  const { from, to } = JSON.parse(first.stdout)
  assert.ok(from === 0 && to >= 1)
  const again = await pds(folder, ['migrate'], { environment })
  assert.match(again.stdout, /: there is nothing to take over\n$/)
  const said = [none, first, again].map(({ stdout, stderr }) => stdout + stderr).join('')
  assert.doesNotMatch(said, /secret/)
})
