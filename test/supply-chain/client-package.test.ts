import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { publint } from 'publint'
import { installClient } from '../support/client-package.ts'
import { ROOT } from '../support/tracked-files.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('the client is tested with the versions that its package asks for', () => {
  const { dependencies } = JSON.parse(read('client/package.json'))
  const { devDependencies } = JSON.parse(read('package.json'))
  for (const [name, version] of Object.entries(dependencies)) assert.equal(devDependencies[name], version)
})

test('the package is sound, and as small as its README says', async t => {
  const { installed, tarball } = await installClient(t)
  const { buffer } = await readFile(tarball)
  const { messages } = await publint({ pack: { tarball: buffer as ArrayBuffer }, strict: true })
  assert.deepEqual(messages, [])
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  for (const file of [
    'LICENSE',
    'NOTICE',
    'README.md',
    'npm-shrinkwrap.json',
    'dist/index.js',
    'dist/index.d.ts',
  ])
    assert.ok(files.includes(file), file)
  assert.deepEqual(
    files.filter(file => /\.test\.|schema\.ts$|^src/.test(file)),
    [],
  )
  const sizes = await Promise.all(
    files
      .filter(file => file.endsWith('.js'))
      .map(async file => (await readFile(join(installed, file))).length),
  )
  const [, said] = /^The client is (\d+) kB of JavaScript/m.exec(read('client/README.md')) ?? []
  assert.equal(Number(said), Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1000))
})
