import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lockedPackages, nameAndVersion } from '../support/lockfile.ts'
import { ROOT } from '../support/tracked-files.ts'

/*
 * Which packages the run time has, each with its licence, is compared in test/docs.test.ts; here how many there are, and
 * under which licences any package may be.
 */

const PAGE = readFileSync(join(ROOT, 'docs/reference/licences.md'), 'utf8')
/** Licences that allow use inside software under the Apache License 2.0. */
const COMPATIBLE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT']

const packages = lockedPackages()
const runTime = packages.filter(({ dev }) => dev !== true)
const development = packages.filter(({ dev }) => dev === true)
const direct = Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies)

test('the service has as many packages as licences.md says', () => {
  const [, ofOwn, inAll] = /^(\d+) packages are direct dependencies, (\d+) in all/m.exec(PAGE) ?? []
  assert.deepEqual([Number(ofOwn), Number(inAll)], [direct.length, new Set(runTime.map(nameAndVersion)).size])
})

test('every package of the run time has a licence that is compatible', () => {
  const others = runTime.filter(({ license = '' }) => !COMPATIBLE.includes(license))
  assert.deepEqual(others.map(nameAndVersion), [])
})

test('packages for development have such a licence too, or licences.md names them with theirs', () => {
  const [, section = ''] = PAGE.split(/^## Packages for development$/m)
  const named = [...(section.split(/^## /m)[0] ?? '').matchAll(/^- ([^:]+): (.*)$/gm)].flatMap(
    ([, licence, list = '']) => [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => `${name} ${licence}`),
  )
  const others = development
    .filter(
      ({ license = '' }) => !license.split(' OR ').some(one => COMPATIBLE.includes(one.replace('(', ''))),
    )
    .map(({ name, license }) => `${name} ${license}`)
  assert.deepEqual(named.sort(), others.sort())
})
