import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { type TestContext, test } from 'node:test'
import { daysBefore, inJersey, told } from './support/counted-past.ts'
import { ISLAND } from './support/island.ts'
import { listen } from './support/raw-http.ts'
import { build } from './support/service.ts'

/* A process of its own: it watches which functions of the process run. */

/* Holds the two tours in how-it-works.md to the files that V8 sees running while the service answers. */

const PAGE = new URL('../docs/explanation/how-it-works.md', import.meta.url)
const NOW = '2025-06-03T09:30'

/** What may run beside a request: the service looks every half second which releases are current, and watches its disk. */
const BESIDE = /^(store\/|releases\/snapshots\/(?!leases)|app\/watch\.ts|notifications\/)/

/** The files under `src` in which a function runs while one request is answered. */
async function filesOf(t: TestContext, path: string): Promise<string[]> {
  const { app } = await build(t, ISLAND, {
    now: () => inJersey(NOW),
    history: daysBefore(NOW, 30, []),
    observation: told(inJersey(NOW), { spaces: 5 }),
  })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  const response = await fetch(origin + path)
  await response.arrayBuffer()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  assert.equal(response.status, 200)
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .flatMap(({ url }) => /\/src\/([^?]+\.ts)/.exec(url)?.[1] ?? [])
    .filter(file => !BESIDE.test(file))
}

/** The files that the section of a tour names, those of a folder of its own aside. */
function documented(heading: string): string[] {
  const section = readFileSync(PAGE, 'utf8').split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? ''
  return [...section.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file)
}

const TOURS = [
  ['GET /v1/vehicles?make=ford', 'columnar/'],
  ['GET /v1/carparks/HARBST/forecast', 'parking/forecast/'],
] as const

for (const [request, ownFolder] of TOURS)
  test(`the tour of ${request} names the files that it passes through`, async t => {
    const files = await filesOf(t, request.slice('GET '.length))
    assert.ok(files.some(file => file.startsWith(ownFolder)))
    const passed = files.filter(file => !file.startsWith(ownFolder))
    assert.deepEqual(documented(request).sort(), passed.sort())
  })
