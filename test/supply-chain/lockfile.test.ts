import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type LockedPackage, lockedPackages, nameAndVersion } from '../support/lockfile.ts'
import { ROOT } from '../support/tracked-files.ts'

/*
 * The fault: a package comes from elsewhere than the public registry, can be exchanged unnoticed, or runs code when it is
 * installed. Needs no network.
 */

/** Packages that would run code when installed. None of them needs to, and .npmrc does not let them. */
const WITH_INSTALL_SCRIPT = {
  '@photostructure/sqlite': 'would compile where its package has no binary for the platform',
  esbuild: 'would replace its starter in JavaScript by the binary, which starts it faster',
}

const PUBLIC_REGISTRY = 'https://registry.npmjs.org/'
/** SHA-512 in base64. */
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/
/** Versions, ranges and aliases of the registry; no address, repository or folder. */
const OF_A_REGISTRY = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?[\w.\s<>=^~*|+-]+$/

const packages = lockedPackages()
const manifest: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)

/** What is wrong with a package of a lockfile. */
function faults(entry: LockedPackage): string[] {
  const { integrity = '', resolved, dependencies, optionalDependencies } = entry
  const ranges = Object.values({ ...dependencies, ...optionalDependencies })
  return [
    ...(SHA512.test(integrity) ? [] : ['no hash by SHA-512']),
    ...(resolved === undefined || resolved.startsWith(PUBLIC_REGISTRY) ? [] : [`comes from ${resolved}`]),
    ...ranges.filter(range => !OF_A_REGISTRY.test(range)).map(range => `asks for ${range}`),
  ].map(fault => `${nameAndVersion(entry)}: ${fault}`)
}

test('every package has its hash and comes from the public registry', () => {
  assert.ok(packages.length > 100)
  assert.deepEqual(packages.flatMap(faults), [])
})

test('a package without its hash, or from elsewhere, is found', () => {
  const [sound = assert.fail()] = packages
  for (const wrong of [
    { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    { integrity: '' },
    { resolved: 'https://registry.example/a/-/a-1.0.0.tgz' },
    { resolved: 'git+ssh://git@github.example/a/a.git#1234567' },
    { dependencies: { a: 'https://example.org/a.tgz' } },
    { dependencies: { a: 'github:a/a' } },
    { dependencies: { a: 'a/a#v1' } },
    { optionalDependencies: { a: 'file:../a' } },
  ])
    assert.equal(faults({ ...sound, ...wrong }).length, 1, JSON.stringify(wrong))
})

test('no package runs code when it is installed', () => {
  const found = packages.filter(({ hasInstallScript }) => hasInstallScript === true).map(({ name }) => name)
  assert.deepEqual(found.sort(), Object.keys(WITH_INSTALL_SCRIPT))
  const settings = readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n')
  assert.ok(settings.includes('ignore-scripts=true'))
  assert.ok(settings.every(line => !line.includes('registry')))
})

test('every dependency is of one version', () => {
  const { dependencies, devDependencies } = manifest
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    assert.match(version, /^\d+\.\d+\.\d+$/, name)
})

test('what is installed is what the lockfile says', () => {
  // It fails where a package is missing, of another version, or there without being asked for.
  execFileSync('npm', ['ls', '--all', '--loglevel', 'error'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
})
