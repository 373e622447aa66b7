import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { emptyFolder } from './support/folder.ts'
import { ROOT } from './support/tracked-files.ts'

/** Imports the last datasets of the list from the synthetic island, and prints what became of them. */
const IMPORT = `
  const { DATASETS } = await import('./src/datasets/index.ts')
  const { fillIsland } = await import('./demo/island.ts')
  const { openStore } = await import('./src/store/open-store.ts')
  const store = await openStore('sqlite:data')
  const datasets = DATASETS.slice(-2)
  const reports = await fillIsland({ store, datasets })
  console.log(JSON.stringify(datasets.map(({ path, title, record }, index) => {
    const { outcome, rejected, warned, accepted } = reports[index]
    return [path, title, record.$id, outcome, rejected, warned, accepted]
  })))
  await store.close()`

const REFUSED: readonly (readonly [words: readonly string[], reason: RegExp])[] = [
  [[], /give one name.*new:dataset bus-stops/],
  [['bus', 'stops'], /give one name/],
  [['Bus stops'], /"Bus stops" is not in kebab-case/],
  [['../bus'], /"\.\.\/bus" is not in kebab-case/],
  [['toilets'], /"toilets" is taken: src\/datasets\/toilets exists/],
  [['places'], /"places" is taken: \/v1\/places is an endpoint/],
  [['recycling-centres'], /taken: demo\/island\.ts uses the name recyclingCentres/],
]

test('new:dataset, in a copy of what it reads and of what runs its skeleton', async t => {
  const cwd = await emptyFolder(t)
  for (const path of ['src', 'demo', 'package.json', 'client/src/schema.ts', 'docs/reference/changes.md'])
    await cp(join(ROOT, path), join(cwd, path), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(cwd, 'node_modules'))
  const node = (...words: readonly string[]) =>
    promisify(execFile)(process.execPath, ['--import', join(ROOT, 'test/support/typescript.mjs'), ...words], {
      cwd,
    })
  const newDataset = (...words: readonly string[]) => node(join(ROOT, 'scripts/new-dataset.ts'), ...words)
  const textOf = (path: string) => readFile(join(cwd, path), 'utf8')

  await t.test('refuses a bad name in one line, and writes nothing', async () => {
    const state = async () => [
      await Promise.all(
        ['src', 'demo', 'docs', 'client'].map(name => readdir(join(cwd, name), { recursive: true })),
      ),
      await textOf('src/datasets/index.ts'),
    ]
    const before = await state()
    for (const [words, reason] of REFUSED)
      await assert.rejects(newDataset(...words), ({ code, stdout, stderr }) => {
        assert.deepEqual([code, stdout], [1, ''])
        assert.match(stderr, /^new:dataset: [^\n]+\n$/)
        assert.match(stderr, reason)
        return true
      })
    assert.deepEqual(await state(), before)
  })

  await t.test('names what it writes, which imports its invented source', async () => {
    const { stdout } = await newDataset('mirage-stops')
    const written = [...stdout.matchAll(/^ {2}(\S+)$/gm)].map(([, path = '']) => path)
    assert.ok(written.includes('src/datasets/mirage-stops/schema.ts'), stdout)
    for (const path of written) assert.match(await textOf(path), /mirage-stops|MirageStop/)
    await newDataset('mirage-boxes')
    assert.deepEqual(JSON.parse((await node('--input-type=module', '-e', IMPORT)).stdout), [
      ['/v1/mirage-stops', 'Mirage stops', 'MirageStop', 'published', 0, 0, 40],
      ['/v1/mirage-boxes', 'Mirage boxes', 'MirageBox', 'published', 0, 0, 40],
    ])
  })
})
