import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { copyFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { emptyFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { TOILETS } from '../support/island.ts'
import { watchServing } from '../support/serving.ts'
import { kill } from '../support/site.ts'
import { copyTrackedFiles, ROOT } from '../support/tracked-files.ts'

/*
 * The fault: a package that cannot be compared with its source, because two builds differ, or that needs more at run time
 * than it asks for.
 */

const run = promisify(execFile)

/** Builds and packs a copy of the source in a folder that the commands have prepared. */
async function pack(folder: string, commands: string, environment: Readonly<Record<string, string>> = {}) {
  await copyTrackedFiles(folder)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = await run('sh', ['-ec', `${commands}; npm run --silent package -- --json`], {
    cwd: folder,
    env: { ...process.env, ...environment },
    maxBuffer: 2 ** 26,
  })
  const [{ filename, integrity, files }] = JSON.parse(stdout)
  return { file: join(folder, filename), integrity, names: files.map(({ path }: { path: string }) => path) }
}

/** Another path, other times and rights of files, another time zone and language, and something left of an older build. */
const ELSEWHERE = `
  find . -type f -exec touch -d 2001-02-03 {} + -exec chmod go-rwx {} +
  mkdir dist && echo old >dist/old.js
  umask 077`

test('the package is the same to the byte wherever it is built', async t => {
  const folder = await emptyFolder(t)
  const here = await pack(join(folder, 'here'), 'umask 022')
  const zone = { TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8' }
  const there = await pack(join(folder, 'else where', 'deeper'), ELSEWHERE, zone)
  assert.match(here.integrity, /^sha512-/)
  assert.deepEqual([there.integrity, there.names], [here.integrity, here.names])
  assert.ok(here.names.includes('dist/licences.md'), 'the licences of the packages that are in the build')
  assert.deepEqual(
    here.names.filter((name: string) => /\.test\.|\.env|^(data|test|bench)\//.test(name)),
    [],
  )
  await t.test('it serves with its own dependencies alone, installed without scripts', t =>
    servesFrom(t, here.file),
  )
})

/** Installs the package without development and serves from it. */
async function servesFrom(t: TestContext, file: string): Promise<void> {
  const folder = await emptyFolder(t)
  await run('tar', ['xzf', file, '--strip-components=1', '-C', folder])
  for (const name of ['package-lock.json', '.npmrc']) await copyFile(join(ROOT, name), join(folder, name))
  const words = ['ci', '--offline', '--ignore-scripts', '--omit=dev', '--loglevel', 'error']
  try {
    await run('npm', words, { cwd: folder })
  } catch (error) {
    if (!String((error as { stderr?: string }).stderr).includes('ENOTCACHED')) throw error
    return t.skip('the packages are not in the cache of npm here: `npm ci`')
  }
  const pds = join(folder, 'bin/pds')
  const settings = { PORT: '0', ADMIN_PORT: String(await freePort()), DATABASE_URL: `sqlite:${folder}/data` }
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', ...settings } }
  await writeFile(join(folder, 'toilets.json'), JSON.stringify({ results: TOILETS }))
  await run(process.execPath, [pds, 'import', 'toilets', 'toilets.json'], options)
  const child = spawn(process.execPath, [pds, 'serve'], options)
  t.after(() => kill(child))
  const service = await watchServing(t, child)
  const { status, text } = await service.get('/v1/toilets')
  assert.deepEqual([status, JSON.parse(text)], [200, { results: TOILETS }])
  for (const path of ['/docs', '/parking', '/openapi.json'])
    assert.equal((await service.get(path)).status, 200, path)
}
