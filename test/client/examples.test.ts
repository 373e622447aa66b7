import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { installClient } from '../support/client-package.ts'
import { ISLAND, OBSERVATION, TOILETS } from '../support/island.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'
import { ROOT } from '../support/tracked-files.ts'

/* Runs each example of the client, installed as users install it, against a service, and holds the README to it. */

const EXAMPLES = readdirSync(join(ROOT, 'client/examples')).filter(file => file.endsWith('.ts'))

/** The code and the output of each example that the README shows. */
function shown(): Map<string, { code: string; output: string }> {
  const text = readFileSync(join(ROOT, 'client/README.md'), 'utf8')
  const blocks = text.matchAll(
    /\(examples\/([\w-]+\.ts)\)[^`]*```ts\n([\s\S]*?)```\n+```text\n([\s\S]*?)```/g,
  )
  return new Map([...blocks].map(([, name = '', code = '', output = '']) => [name, { code, output }]))
}

/** What varies: the time of the release. */
const stable = (text: string) => text.replace(/as of .*/, 'as of …')

test('the README shows every example and what it prints', async t => {
  const [toilet, ...others] = TOILETS
  const toilets = [{ ...toilet, facilities: ['BABY_CHANGING'] }, ...others]
  const now = () => Date.parse(OBSERVATION.timestamp)
  const content = { ...ISLAND, toilets }
  const { app } = await build(t, content, { observation: OBSERVATION, now })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const { folder } = await installClient(t)
  const documented = shown()
  assert.deepEqual([...documented.keys()].sort(), EXAMPLES)
  const typescript = import.meta.resolve('../support/typescript.mjs')
  for (const [name, { code, output }] of documented) {
    assert.equal(readFileSync(join(ROOT, 'client/examples', name), 'utf8'), code, name)
    const file = join(folder, 'examples', name)
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', typescript, file, origin], {
      cwd: folder,
    })
    assert.equal(stable(stdout), stable(output), name)
  }
})
