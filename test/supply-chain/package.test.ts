import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { VERSION } from '../../src/version.ts'
import { emptyFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { TOILETS } from '../support/island.ts'
import { lockedPackages, nameAndVersion } from '../support/lockfile.ts'
import { startRegistry } from '../support/registry.ts'
import { watchServing } from '../support/serving.ts'
import { kill } from '../support/site.ts'
import { copyTrackedFiles, ROOT } from '../support/tracked-files.ts'

/*
 * The fault: a package that cannot be compared with its source, because two builds differ, or that needs more at run time
 * than it asks for, or that gets other dependencies than the tested ones where it is installed.
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
  await t.test(
    'the packages run where they are installed from a registry, with the locked dependencies',
    async t => {
      const others = ['client', 'mcp'].map(name => packOther(join(folder, 'here', name)))
      await runInstalled(t, [here.file, ...(await Promise.all(others))])
    },
  )
})

async function packOther(folder: string): Promise<string> {
  const { stdout } = await run('npm', ['run', '--silent', 'package'], { cwd: folder })
  return join(folder, stdout.trim())
}

/** A program that prints what it gets of a service by the client. */
const USES_CLIENT = `
  import { createClient } from 'public-data-client'
  const { data } = await createClient({ baseUrl: process.argv[1] }).GET('/v1/toilets')
  console.log(JSON.stringify(data))`

/** Installs the packages in an empty folder and runs each. */
async function runInstalled(t: TestContext, archives: readonly string[]): Promise<void> {
  const registry = await startRegistry(t, archives, { offersNewer: true })
  if (registry === undefined) return t.skip('the packages are not in the cache of npm here: `npm ci`')
  const folder = await emptyFolder(t)
  const npm = {
    npm_config_registry: registry,
    npm_config_cache: join(folder, 'cache'),
    npm_config_audit: 'false',
  }
  const settings = { PORT: '0', ADMIN_PORT: String(await freePort()), DATABASE_URL: `sqlite:${folder}/data` }
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', ...settings, ...npm } }
  const names = ['public-data-service', 'public-data-client', 'pds-mcp'].map(name => `${name}@${VERSION}`)
  await run('npm', ['install', '--ignore-scripts', ...names], options)
  const locked = lockedPackages().map(nameAndVersion)
  const installed = await installedIn(join(folder, 'node_modules'))
  assert.deepEqual(
    installed.filter(name => !locked.includes(name)),
    names.sort(),
  )

  await writeFile(join(folder, 'toilets.json'), JSON.stringify({ results: TOILETS }))
  await run('npx', ['pds', 'import', 'toilets', 'toilets.json'], options)
  const child = spawn(process.execPath, ['node_modules/public-data-service/bin/pds', 'serve'], options)
  t.after(() => kill(child))
  const service = await watchServing(t, child)
  const { status, text } = await service.get('/v1/toilets')
  assert.deepEqual([status, JSON.parse(text)], [200, { results: TOILETS }])
  for (const path of ['/docs', '/parking', '/openapi.json'])
    assert.equal((await service.get(path)).status, 200, path)

  const program = ['--input-type=module', '-e', USES_CLIENT, service.url]
  assert.equal((await run(process.execPath, program, options)).stdout.trim(), text)

  const [, , mcp = ''] = archives
  await run('tar', ['xzf', mcp], options)
  await run('npm', ['ci', '--ignore-scripts'], { ...options, cwd: join(folder, 'package') })
  const ofFiles = { ...options.env, npm_config_registry: await startRegistry(t, archives) }
  const agent = spawn('npx', ['--yes', `--package=${mcp}`, 'pds-mcp', service.url], {
    cwd: folder,
    env: ofFiles,
  })
  t.after(() => kill(agent))
  agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
  const [line] = await once(agent.stdout, 'data')
  agent.stdin.end()
  assert.deepEqual(JSON.parse(line), { jsonrpc: '2.0', id: 1, result: {} })
}

/** The names and versions of all packages in a folder. */
async function installedIn(folder: string): Promise<string[]> {
  const manifests = (await readdir(folder, { recursive: true })).filter(file =>
    /(?:^|node_modules\/)(?:@[^/]+\/)?[^@/]+\/package\.json$/.test(file),
  )
  const all = manifests.map(async file =>
    nameAndVersion(JSON.parse(await readFile(join(folder, file), 'utf8'))),
  )
  return [...new Set(await Promise.all(all))].sort()
}

test('a release is made of a clean tree and of a changelog that fits its version', async t => {
  const folder = await emptyFolder(t)
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  for (const name of ['', 'client/', 'mcp/', 'web/', 'demo/']) {
    await mkdir(join(folder, name), { recursive: true })
    await write(`${name}package.json`, '{"version":"1.2.0"}')
  }
  const git = (...words: string[]) =>
    run('git', ['-c', 'user.name=t', '-c', 'user.email=t@data.example', ...words], { cwd: folder })
  const release = async (changelog: string) => {
    await write('CHANGELOG.md', changelog)
    await git('add', '.')
    await git('commit', '--quiet', '--allow-empty', '-m', 'a')
    const ended = await run(process.execPath, [join(ROOT, 'scripts/release.mjs')], { cwd: folder }).catch(
      e => e,
    )
    return [ended.code ?? 0, ended.stderr]
  }
  await git('init', '--quiet')
  const older = '## 1.1.0 - 2026-01-01\n\n- old\n'
  assert.deepEqual(await release('# Changes\n'), [1, 'CHANGELOG.md has no section "## Unreleased"\n'])
  assert.match(
    String(await release(`# Changes\n\n## Unreleased\n\n${older}`)),
    /^1,.* no changes for 1\.2\.0/,
  )
  const both = `# Changes\n\n## Unreleased\n\n- new\n\n## 1.2.0 - 2026-02-01\n\n- x\n`
  assert.match(String(await release(both)), /^1,.* raise the version/)
  assert.match(String(await release(`# Changes\n\n## Unreleased\n\n- new\n\n${older}`)), /^0,.* Commit it/)
  const moved = (await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).replace(/\d{4}-\d\d-\d\d/, 'DATE')
  assert.equal(moved, `# Changes\n\n## Unreleased\n\n## 1.2.0 - DATE\n\n- new\n\n${older}`)
  const unclean = await run(process.execPath, [join(ROOT, 'scripts/release.mjs')], { cwd: folder }).catch(
    e => e,
  )
  assert.match(unclean.stderr, /has changes: commit them first/)
})
