import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../support/folder.ts'
import { ROOT } from '../support/tracked-files.ts'

/*
 * The fault: a key or a password in a file of the repository. What may stand there, as an example in a test, is named in
 * .secretlintrc.json.
 */

const MANIFEST = createRequire(import.meta.url).resolve('secretlint/package.json')
const SECRETLINT = join(dirname(MANIFEST), 'bin/secretlint.js')

test('no file of the repository has a secret', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'lint:secrets'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
})

const letters = (length: number) => 'a1B2c3D4e5F6g7H8'.repeat(10).slice(0, length)

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
})

/** In pieces, so that this file has none. */
const PLANTED = {
  'a private key': [privateKey],
  'a key of AWS': ['AWS_SECRET_ACCESS_', `KEY=${letters(40)}\n`],
  'a token of GitHub': ['ghp', `_${letters(36)}\n`],
  'a token of npm': ['//registry.npmjs.org/:_authToken=npm', `_${letters(36)}\n`],
  'a password of PostgreSQL': ['DATABASE_URL=postgres://pds:', 'h4rb0ur@db.internal:5432/pds\n'],
  'a password in an address': ['LIVE_FEED_URL=https://pds:', 'h4rb0ur@feed.example.org/\n'],
}

for (const [what, pieces] of Object.entries(PLANTED))
  test(`${what} is found, and not shown`, async t => {
    const folder = await emptyFolder(t)
    await writeFile(join(folder, 'settings.env'), pieces.join(''))
    const words = ['--secretlintrc', join(ROOT, '.secretlintrc.json'), 'settings.env']
    const { status, stdout } = spawnSync(process.execPath, [SECRETLINT, ...words], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.deepEqual([status, stdout.includes('settings.env')], [1, true], stdout)
    assert.doesNotMatch(stdout, /h4rb0ur|a1B2c3/)
  })
