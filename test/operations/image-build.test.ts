import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { emptyFolder } from '../support/folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** What the first stage of the image copies before it builds, each as `COPY <sources> <target>`. */
function copiedSources(): readonly string[] {
  const [stage = ''] = read('deploy/Dockerfile').split('RUN npm run build')
  return [...stage.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '))
}

test('the image is built from what its file copies, and .dockerignore lets all of it through', async t => {
  const sources = copiedSources()
  assert.ok(sources.length > 5)
  const allowed = read('.dockerignore').split('\n')
  assert.deepEqual(
    sources.filter(source => !allowed.includes(`!${source}`)),
    [],
  )
  const folder = await emptyFolder(t)
  for (const source of sources) await cp(join(ROOT, source), join(folder, source), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: folder })
  for (const file of ['dist/main.js', 'dist/web/server.js', 'dist/web/explorer.json'])
    assert.ok(existsSync(join(folder, file)), file)
})
