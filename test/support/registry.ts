import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { lockedPackages } from './lockfile.ts'

const CACHE = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()

const hexOf = (integrity: string) => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')

/** The archive with this SHA-512 (in hex) in the cache of npm, where `npm ci` leaves it. */
function inCache(hash: string): string {
  const [, first = '', second = '', rest = ''] = /^(..)(..)(.*)$/.exec(hash) ?? []
  return join(CACHE, '_cacache/content-v2/sha512', first, second, rest)
}

/** A patch newer than this version. */
const newer = (version: string) => version.replace(/\d+$/, patch => String(Number(patch) + 1000))

/**
 * Starts a registry with these archives and the packages of the lockfile that are in the cache of npm. With `offersNewer` it also
 * offers a newer patch of each package, which cannot be installed. Resolves to its address; undefined if a package is not in the cache.
 */
export async function startRegistry(
  t: TestContext,
  archives: readonly string[],
  { offersNewer = false } = {},
): Promise<string | undefined> {
  const locked = lockedPackages().map(entry => ({ ...entry, file: inCache(hexOf(entry.integrity ?? '')) }))
  if (locked.some(({ dev, file }) => dev !== true && !existsSync(file))) return undefined
  const files = new Map<string, string>()
  const versions = new Map<string, Record<string, object>>()
  const server = createServer(({ url = '' }, response) => {
    const name = decodeURIComponent(url.slice(1))
    const file = files.get(name)
    const offered = versions.get(name)
    if (file !== undefined) response.end(readFileSync(file))
    else if (offered === undefined) response.writeHead(404).end('{}')
    else response.end(JSON.stringify({ name, versions: offered, 'dist-tags': latest(offered) }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const add = (name: string, version: string, manifest: object, file: string, integrity: string) => {
    const hash = hexOf(integrity)
    files.set(hash, file)
    const offered = versions.get(name) ?? {}
    versions.set(name, offered)
    offered[version] = { ...manifest, name, version, dist: { integrity, tarball: address + hash } }
    if (!offersNewer) return
    const missing = newer(version)
    offered[missing] = {
      ...manifest,
      name,
      version: missing,
      dist: { integrity, tarball: `${address}missing` },
    }
  }
  for (const { name, version, integrity = '', file, ...manifest } of locked)
    add(name, version, manifest, file, integrity)
  for (const archive of archives) {
    const text = execFileSync('tar', ['xzOf', archive, 'package/package.json'], { encoding: 'utf8' })
    const { name, version, ...manifest } = JSON.parse(text)
    const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    // The public registry adds this to what it knows of a package with npm-shrinkwrap.json.
    add(name, version, { ...manifest, _hasShrinkwrap: true }, archive, integrity)
  }
  return address
}

const latest = (offered: object) => ({ latest: Object.keys(offered).at(-1) })
