import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { lockedPackages } from '../support/lockfile.ts'
import { ROOT } from '../support/tracked-files.ts'

interface Component {
  readonly purl: string
  readonly licenses: readonly { readonly license: { readonly id: string } }[]
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
}

const bill = (): string =>
  execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })

test('the bill of materials has each package of the run time with its licence and hash, and no other', () => {
  const text = bill()
  const { bomFormat, metadata, components } = JSON.parse(text) as {
    bomFormat: string
    metadata: { component: { name: string } }
    components: Component[]
  }
  assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', 'public-data-service'])
  const listed = components.map(({ purl, licenses, hashes }) => [
    purl,
    licenses.map(({ license }) => license.id),
    hashes.map(({ alg, content }) => `${alg} ${content}`),
  ])
  const locked = lockedPackages()
    .filter(({ dev }) => dev !== true)
    .map(({ name, version, license, integrity = '' }) => [
      `pkg:npm/${name.replace('@', '%40')}@${version}`,
      [license],
      [`SHA-512 ${Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')}`],
    ])
  const byPurl = (all: typeof listed) => all.map(one => JSON.stringify(one)).sort()
  assert.deepEqual(byPurl(listed), byPurl(locked as typeof listed))
  assert.equal(bill(), text, 'the same each time')
})
