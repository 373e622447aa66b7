import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { emptyFolder } from '../support/folder.ts'
import { pds } from '../support/pds.ts'
import { makeSite } from '../support/site.ts'
import { fillWithDatasets, linesOf } from '../support/store-content.ts'
import { until } from '../support/until.ts'

test('a server on an empty store serves what is restored into it, beside one on the source', async t => {
  const source = await makeSite(t)
  await fillWithDatasets(`sqlite:${source.data}`, 500)
  const target = await makeSite(t)
  const [from, to] = [await source.serve(), await target.serve()]
  assert.equal((await to.get('/v1/toilets')).status, 503)
  const file = join(source.folder, 'backup.gz')
  const written = await pds(source.folder, ['backup', file])
  assert.deepEqual([written.status, written.stderr], [0, ''])
  assert.deepEqual(await pds(target.folder, ['restore', file, '--json']).then(({ status }) => status), 0)
  for (const path of ['/v1/toilets', '/v1/vehicles?limit=3']) {
    await until(async () => (await to.get(path)).status === 200, `the restored release at ${path}`)
    assert.equal((await to.get(path)).text, (await from.get(path)).text)
  }
  assert.deepEqual(await linesOf(t, `sqlite:${target.data}`), await linesOf(t, `sqlite:${source.data}`))

  const again = await pds(target.folder, ['restore', file])
  assert.equal(again.status, 1)
  assert.match(again.stderr, /^error: .* is not empty \(its table \w+ has rows\).*\n$/)
})

test('a backup that is terminated leaves no file', async t => {
  const site = await makeSite(t)
  await fillWithDatasets(`sqlite:${site.data}`, 30_000)
  const folder = await emptyFolder(t)
  const child = site.start(['backup', join(folder, 'backup.gz')])
  const [stderr, exit] = [text(child.stderr), once(child, 'exit')]
  await until(async () => (await readdir(folder)).length > 0, 'the backup')
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [143, null])
  // Slow work writes its progress before.
  assert.match(await stderr, /^interrupted: nothing was changed\n$/m)
  assert.deepEqual(await readdir(folder), [])
})
