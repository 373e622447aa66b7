import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { emptyFolder } from '../support/folder.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { installedProgram } from '../support/programs.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

/* Runs the examples of how-to guides as their readers do, against a service. */

const run = promisify(execFile)
const HOW_TO = fileURLToPath(new URL('../../docs/how-to', import.meta.url))
const TYPESCRIPT = new URL('../support/typescript.mjs', import.meta.url).href
const WRITTEN_ADDRESS = 'http://127.0.0.1:8080'

/** The code of a guide in a language, in its order; later parts go on from earlier ones. */
const codeOf = (page: string, language: string): readonly string[] =>
  [...readFileSync(join(HOW_TO, `${page}.md`), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, name, code = '']) => (name === language ? [code] : []),
  )

const RUNNERS = [
  {
    language: 'sh',
    file: 'example.sh',
    program: installedProgram('sh'),
    needs: installedProgram('curl') && 'sh',
  },
  {
    language: 'python',
    file: 'example.py',
    program: installedProgram('python3'),
    needs: installedProgram('python3'),
  },
  {
    language: 'ts',
    file: 'example.mts',
    program: process.execPath,
    words: ['--import', TYPESCRIPT],
    needs: 'node',
  },
] as const

/** What each page prints, by language. */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  'make-a-map': { sh: /FeatureCollection/, python: /\d+ m \S/, ts: /\d+ m \S/ },
  'use-a-spreadsheet': { sh: /^$/, python: /^\S.* \d+$/m, ts: /^$/ },
  'use-a-notebook': {
    sh: /"fuelType"/,
    python: /\d PETROL[\s\S]*2 of them by Ford/,
    ts: /2 of them by Ford/,
  },
}

async function printed(t: TestContext, origin: string, page: string, runner: (typeof RUNNERS)[number]) {
  const folder = await emptyFolder(t)
  const file = join(folder, runner.file)
  const code = codeOf(page, runner.language).join('\n')
  assert.notEqual(code, '', `${page} has no example in ${runner.language}`)
  await writeFile(file, code.replaceAll(WRITTEN_ADDRESS, origin))
  const words = 'words' in runner ? runner.words : []
  const { stdout } = await run(String(runner.program), [...words, file], { cwd: folder })
  return { stdout, folder }
}

test('the examples of how-to guides run', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const origin = `http://127.0.0.1:${await listen(app)}`
  for (const [page, expected] of Object.entries(EXPECTED))
    for (const runner of RUNNERS) {
      const skip = runner.needs === undefined && `${runner.language} cannot be run here`
      await t.test(`${page}, ${runner.language}`, { skip }, async t => {
        const { stdout, folder } = await printed(t, origin, page, runner)
        assert.match(stdout, expected[runner.language] ?? assert.fail(runner.language))
        if (page !== 'use-a-spreadsheet' || runner.language === 'python') return
        const saved = runner.language === 'sh' ? 'toilets.csv' : 'toilets-by-parish.csv'
        // The byte order mark tells Excel that it is UTF-8.
        assert.match(readFileSync(join(folder, saved), 'utf8'), /^\uFEFF\w+,/)
      })
    }
})
