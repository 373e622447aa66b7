import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder } from '../support/folder.ts'
import { build } from '../support/service.ts'

const REDOCLY = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

for (const path of ['/openapi.json', '/ogc/api'])
  test(`${path} passes redocly lint`, async t => {
    if (!existsSync(REDOCLY)) return t.skip('@redocly/cli is not installed: npm ci')
    const folder = await emptyFolder(t)
    // A licence is recommended, and only the operator can state it.
    const metadata = {
      ...{ title: 'Data', contact: { email: 'data@island.example' } },
      ...{ licence: 'CC BY 4.0', licenceUrl: 'https://creativecommons.org/licenses/by/4.0/' },
    }
    const { app } = await build(t, {}, { metadata })
    await writeFile(join(folder, 'openapi.json'), (await app.inject(path)).body)
    const command = [REDOCLY, 'lint', '--extends=recommended', '--format=json', 'openapi.json']
    const env = { PATH: process.env.PATH, HOME: folder, ...OFFLINE }
    const report = await new Promise<string>(resolve => {
      execFile(process.execPath, command, { cwd: folder, env }, (_error, stdout) => resolve(stdout))
    })
    const { totals, problems } = JSON.parse(report)
    assert.deepEqual(problems, [])
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 })
  })
