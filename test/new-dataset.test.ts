import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { emptyFolder } from './support/folder.ts'
import { ROOT } from './support/tracked-files.ts'

/* `npm run new:dataset` in a copy of what it reads and of what runs its skeleton. */

const run = promisify(execFile)
const TYPESCRIPT = join(ROOT, 'test/support/typescript.mjs')

async function copyOfRepository(t: TestContext): Promise<string> {
  const folder = await emptyFolder(t)
  for (const path of ['src', 'package.json', 'client/src/schema.ts', 'docs/reference/changes.md']) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(ROOT, path), join(folder, path), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const newDataset = (cwd: string, words: readonly string[]) =>
  run(process.execPath, ['--import', TYPESCRIPT, join(ROOT, 'scripts/new-dataset.ts'), ...words], { cwd })

/** The titles, schemas and row counts of these datasets of the synthetic island, imported by the copy's own code. */
const IMPORT = `
  const { DATASETS } = await import('./src/datasets/index.ts')
  const { fillIsland } = await import('./src/demo/island.ts')
  const { openStore } = await import('./src/store/open-store.ts')
  const store = await openStore('sqlite:data')
  const datasets = DATASETS.slice(-2)
  const reports = await fillIsland({ store, datasets })
  console.log(JSON.stringify(datasets.map(({ path, title, record }, index) => {
    const { outcome, rejected, warned, accepted } = reports[index]
    return [path, title, record.$id, outcome, rejected, warned, accepted]
  })))
  await store.close()`

test('new:dataset writes a dataset that imports its invented source', async t => {
  const folder = await copyOfRepository(t)
  const { stdout } = await newDataset(folder, ['bus-stops'])
  const written = [...stdout.matchAll(/^ {2}(\S+)$/gm)].map(([, path = '']) => path)
  assert.ok(written.includes('src/datasets/bus-stops/schema.ts'), stdout)
  for (const path of written) assert.match(await readFile(join(folder, path), 'utf8'), /bus-stops|BusStop/)
  await newDataset(folder, ['post-boxes'])
  const changes = await readFile(join(folder, 'docs/reference/changes.md'), 'utf8')
  const ends = [...changes.matchAll(/^## GET \/v1\/(.*)\/changes$/gm)].map(([, name]) => name)
  assert.deepEqual(ends.slice(-2), ['bus-stops', 'post-boxes'])
  const script = ['--import', TYPESCRIPT, '--input-type=module', '-e', IMPORT]
  const imported = JSON.parse((await run(process.execPath, script, { cwd: folder })).stdout)
  assert.deepEqual(imported, [
    ['/v1/bus-stops', 'Bus stops', 'BusStop', 'published', 0, 0, 40],
    ['/v1/post-boxes', 'Post boxes', 'PostBox', 'published', 0, 0, 40],
  ])
})

test('new:dataset refuses a bad name in one line, and writes nothing', async t => {
  const folder = await copyOfRepository(t)
  const files = () => readdir(folder, { recursive: true })
  const before = await files()
  const list = await readFile(join(folder, 'src/datasets/index.ts'), 'utf8')
  for (const [words, reason] of [
    [[], /give one name.*new:dataset bus-stops/],
    [['bus', 'stops'], /give one name/],
    [['Bus stops'], /"Bus stops" is not in kebab-case/],
    [['bus_stops'], /"bus_stops" is not in kebab-case/],
    [['-bus'], /"-bus" is not in kebab-case/],
    [['../bus'], /"\.\.\/bus" is not in kebab-case/],
    [['toilets'], /"toilets" is taken: src\/datasets\/toilets exists/],
    [['places'], /"places" is taken: \/v1\/places is an endpoint/],
    [['recycling-centres'], /taken: src\/demo\/island\.ts uses the name recyclingCentres/],
  ] as const)
    await assert.rejects(newDataset(folder, words), ({ code, stdout, stderr }) => {
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^new:dataset: [^\n]+\n$/)
      assert.match(stderr, reason)
      return true
    })
  assert.deepEqual(await files(), before)
  assert.equal(await readFile(join(folder, 'src/datasets/index.ts'), 'utf8'), list)
})
