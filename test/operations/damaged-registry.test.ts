import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../support/folder.ts'
import { toiletsOf } from '../support/numbered-releases.ts'
import { pds } from '../support/pds.ts'

const DAMAGES: Readonly<Record<string, (whole: Buffer) => Buffer>> = {
  'an empty file': () => Buffer.alloc(0),
  'a text file': () => Buffer.from('no registry\n'.repeat(1000)),
  'a registry cut in the middle': whole => whole.subarray(0, whole.length / 2),
  'a registry with a flipped bit in its tables': whole => {
    const at = whole.indexOf('CREATE TABLE releases') + 15
    return Buffer.from(whole).fill((whole[at] ?? 0) ^ 1, at, at + 1)
  },
}
const SAYS =
  /^error: .*registry\.sqlite is (?:damaged|not a database).*: restore it from a backup, or move the folder away/
const COMMANDS = [
  ['serve'],
  ['releases'],
  ['export', 'toilets'],
  ['rollback', 'toilets'],
  ['import', 'toilets', '-'],
]

for (const [damage, damaged] of Object.entries(DAMAGES))
  test(`${damage} for a registry: every command says so in one line, with what to do`, async t => {
    const folder = await emptyFolder(t)
    const input = JSON.stringify(toiletsOf(1))
    assert.equal((await pds(folder, ['import', 'toilets', '-'], { input })).status, 0)
    const path = join(folder, 'data', 'registry.sqlite')
    await writeFile(path, damaged(await readFile(path)))

    const environment = { PORT: '0', ADMIN_PORT: '0' }
    const ended = await Promise.all(COMMANDS.map(words => pds(folder, words, { input, environment })))
    for (const { status, stderr } of ended) {
      assert.match(stderr, SAYS)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
      assert.equal(status, 1)
    }
    const doctor = await pds(folder, ['doctor'], { environment })
    assert.match(
      doctor.stdout,
      /^fail +store .*registry\.sqlite is .*\n +-> restore it from a backup, or move/m,
    )
    assert.deepEqual({ status: doctor.status, stderr: doctor.stderr }, { status: 1, stderr: '' })
  })
