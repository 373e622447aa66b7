import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFile, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder } from '../../test/support/folder.ts'

const BIN = fileURLToPath(new URL('../../bin/pds', import.meta.url))

/** A package with the real bin/pds and without a build. */
async function packageIn(t: TestContext): Promise<string> {
  const folder = await emptyFolder(t)
  await mkdir(join(folder, 'bin'))
  await copyFile(BIN, join(folder, 'bin/pds'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

test('bin/pds is executable', async () => {
  assert.equal((await stat(BIN)).mode & 0o111, 0o111)
})

test('without a build bin/pds says how to make one', async t => {
  const folder = await packageIn(t)
  const { status, stdout, stderr } = spawnSync(join(folder, 'bin/pds'), { encoding: 'utf8' })
  assert.deepEqual([status, stdout, stderr], [1, '', 'not built yet: run `npm run build`\n'])
})

test('bin/pds runs what was built, from any directory and through a link', async t => {
  const folder = await packageIn(t)
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/main.js'), 'console.log(process.cwd(), process.argv.slice(2).join())')
  await symlink(join(folder, 'bin/pds'), join(folder, 'link'))
  const elsewhere = await emptyFolder(t)
  const printed = execFileSync(join(folder, 'link'), ['releases', '--json'], {
    cwd: elsewhere,
    encoding: 'utf8',
  })
  assert.equal(printed, `${elsewhere} releases,--json\n`)
})
