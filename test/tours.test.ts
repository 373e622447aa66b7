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

/* Holds the tours in how-it-works.md to the files and functions that V8 sees running while the service answers. */

const PAGE = new URL('../docs/explanation/how-it-works.md', import.meta.url)
const NOW = '2025-06-03T09:30'

/** Each tour by its heading: the files that its section names, the folders that stand for all of theirs, and its bounds. */
const TOURS = readFileSync(PAGE, 'utf8')
  .split(/^### (?=GET )/m)
  .slice(1)
  .map(section => {
    const [text = ''] = section.split('\n#')
    const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
    const [title = ''] = text.split('\n')
    const [, mostFiles, mostFunctions] = /(\d+) files and (\d+) functions/.exec(text) ?? []
    return {
      title,
      isRepeated: title.endsWith(', again'),
      path: title.replace(/^GET |, again$/g, ''),
      most: { files: Number(mostFiles), functions: Number(mostFunctions) },
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

/**
 * The files in which a function runs while a request is answered, those of them in which one runs for it alone, and the number of
 * these functions. A repeated request was answered before.
 */
async function runBy(t: TestContext, path: string, isRepeated: boolean) {
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
  let beside = await functionsRun(session)
  // An app that listens warms its caches first.
  for (let isWarming = true; isWarming; isWarming = beside.has('http/endpoint.ts')) {
    const looked = looks.mock.callCount()
    await until(() => looks.mock.callCount() > looked + 2, 'what runs without a request')
    beside = await functionsRun(session)
  }
  const answer = async () => {
    const response = await fetch(origin + path)
    await response.arrayBuffer()
    assert.equal(response.status, 200)
  }
  if (isRepeated) {
    await answer()
    await functionsRun(session)
  }
  await answer()
  const run = [...(await functionsRun(session))]
  const own = run.flatMap(([file, called]) => {
    const functions = [...called].filter(one => !beside.get(file)?.has(one)).length
    return functions > 0 ? [{ file, functions }] : []
  })
  return { all: run.map(([file]) => file), own }
}

test('the page has tours', () => assert.ok(TOURS.length > 1))

for (const { title, path, isRepeated, files, folders, most } of TOURS)
  test(`the tour of ${title} names the files that it passes through`, async t => {
    const { all, own } = await runBy(t, path, isRepeated)
    const ownFiles = own.map(({ file }) => file)
    const isWithin = (file: string) => folders.some(folder => file.startsWith(folder))
    for (const folder of folders)
      assert.ok(
        ownFiles.some(file => file.startsWith(folder)),
        folder,
      )
    assert.deepEqual(
      ownFiles.filter(file => !isWithin(file) && !files.includes(file)),
      [],
      'not named',
    )
    assert.deepEqual(
      files.filter(file => !all.includes(file)),
      [],
      'not passed',
    )
    const functions = own.reduce((sum, each) => sum + each.functions, 0)
    t.diagnostic(`${own.length} files, ${functions} functions`)
    assert.ok(
      own.length <= most.files && functions <= most.functions,
      `${own.length} files, ${functions} functions`,
    )
  })
