import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { type TestContext, test } from 'node:test'
import { daysBefore, inJersey, told } from './support/counted-past.ts'
import { ISLAND } from './support/island.ts'
import { listen } from './support/raw-http.ts'
import { build } from './support/service.ts'
import { until } from './support/until.ts'

/* A process of its own: it watches which functions of the process run. */

/* Holds the two tours in how-it-works.md to the files that V8 sees running while the service answers. */

const PAGE = new URL('../docs/explanation/how-it-works.md', import.meta.url)
const NOW = '2025-06-03T09:30'

/** Each tour by its request: the files that its section names, and the folders that stand for all of theirs. */
const TOURS = readFileSync(PAGE, 'utf8')
  .split(/^### (?=GET )/m)
  .slice(1)
  .map(section => {
    const [text = ''] = section.split('\n#')
    const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
    return {
      request: text.split('\n')[0] ?? '',
      files: named(/`([\w/-]+\.ts)`/g),
      folders: named(/`([\w/-]+\/)`/g),
    }
  })

/** The functions under `src` that have run since V8 was last asked, by their files. */
async function functionsRun(session: Session): Promise<Map<string, Set<string>>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const run = new Map<string, Set<string>>()
  for (const { url, functions } of result) {
    const file = /\/src\/([^?]+\.ts)/.exec(url)?.[1]
    const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    if (file !== undefined && called.length > 0)
      run.set(
        file,
        new Set(called.map(({ functionName, ranges }) => `${functionName} ${ranges[0]?.startOffset}`)),
      )
  }
  return run
}

/** The files in which a function runs while one request is answered, and those of them in which one runs for it alone. */
async function filesOf(t: TestContext, path: string): Promise<{ all: string[]; own: string[] }> {
  const { app, store } = await build(t, ISLAND, {
    now: () => inJersey(NOW),
    history: daysBefore(NOW, 30, []),
    observation: told(inJersey(NOW), { spaces: 5 }),
  })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const session = new Session()
  session.connect()
  t.after(() => session.disconnect())
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  // The service looks every half second which releases are current.
  const looks = t.mock.method(store.releases, 'revision')
  await functionsRun(session)
  await until(() => looks.mock.callCount() > 2, 'what runs without a request')
  const beside = await functionsRun(session)
  const response = await fetch(origin + path)
  await response.arrayBuffer()
  assert.equal(response.status, 200)
  const run = [...(await functionsRun(session))]
  const isOwn = (file: string, called: Set<string>) => [...called].some(one => !beside.get(file)?.has(one))
  return {
    all: run.map(([file]) => file),
    own: run.filter(([file, called]) => isOwn(file, called)).map(([file]) => file),
  }
}

test('the page has tours', () => assert.ok(TOURS.length > 1))

for (const { request, files, folders } of TOURS)
  test(`the tour of ${request} names the files that it passes through`, async t => {
    const { all, own } = await filesOf(t, request.slice('GET '.length))
    const isWithin = (file: string) => folders.some(folder => file.startsWith(folder))
    for (const folder of folders)
      assert.ok(
        own.some(file => file.startsWith(folder)),
        folder,
      )
    assert.deepEqual(
      own.filter(file => !isWithin(file) && !files.includes(file)),
      [],
      'not named',
    )
    assert.deepEqual(
      files.filter(file => !all.includes(file)),
      [],
      'not passed',
    )
  })
