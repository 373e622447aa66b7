import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Serving } from '../support/serving.ts'
import { kill, makeSite, type Site } from '../support/site.ts'
import { until } from '../support/until.ts'
import { checkCurrent, isWriting, leftovers } from '../support/whole-store.ts'

/** A register that says in each record which of the two it is. */
interface Variant {
  readonly source: string
  readonly rows: number
  /** What GET /v1/vehicles/makes says while it is served. */
  readonly makes: string
}

function variant(make: string, rows: number): Variant {
  const lines = Array.from({ length: rows }, (_, index) => `${make},M${index % 997},Petrol,${index % 9000}\n`)
  return {
    source: `MAKE,MODEL,FUEL TYPE,CC\n${lines.join('')}`,
    rows,
    makes: JSON.stringify({ results: { [make]: rows } }),
  }
}

const VARIANTS = [variant('Old', 12_000), variant('New', 12_100)] as const

const ROUNDS = 50

/*
 * Imports are killed round after round, while a service is asked without end. After each kill the store must hold the old
 * release or the new one whole, and the service must have answered every time with one of them.
 */
test('50 imports killed at random moments: the old or the new release is always served in full', async t => {
  const site = await makeSite(t)
  const [old] = VARIANTS
  await site.publish('vehicles', old.source)
  const serving = await site.serve()
  const watch = watchAnswers(serving)
  const longestMs = await timeWholeImport(site)

  const outcomes: string[] = []
  let next = startImport(site)
  for (let round = 1; round <= ROUNDS; round++) {
    const child = next
    // Started ahead: it waits for its input. Not so beside the first, before which it might come to the store.
    if (round > 1) next = startImport(site)
    const before = await site.store.releases.current('vehicles')
    const { source } = other(before?.rows)
    // The first never gets the end of its source, so that at least one is killed halfway.
    if (round === 1) child.stdin.write(source.slice(0, source.length / 2))
    else child.stdin.end(source)
    // On a busy machine an import may be over before it is seen.
    await until(
      async () =>
        isWriting(site) || (await site.store.releases.current('vehicles'))?.number !== before?.number,
      'the import',
    )
    const delayMs = Math.random() * longestMs
    await pause(delayMs)
    await kill(child)
    if (round === 1) next = startImport(site)

    const after = await checkCurrent(site, 'vehicles')
    const isNew = after?.number !== before?.number
    assert.equal(after?.rows, isNew ? other(before?.rows).rows : before?.rows)
    if (!isNew) assert.equal(after?.hash, before?.hash)
    outcomes.push(`${Math.round(delayMs)} ms ${isNew ? 'new' : 'old'}`)
    assert.equal(watch.failure(), undefined)
  }
  t.diagnostic(`killed after ${outcomes.join(', ')}`)

  const current = await site.store.releases.current('vehicles')
  const wanted = other(current?.rows)
  const [ended] = [once(next, 'exit'), next.stdin.end(wanted.source)]
  assert.deepEqual(await ended, [0, null], 'the next import succeeds')
  await until(async () => (await serving.get('/v1/vehicles/makes')).text === wanted.makes, 'the next release')
  t.diagnostic(`${await watch.stop()} answers meanwhile, none wrong`)

  assert.deepEqual(
    await leftovers(site, 'vehicles'),
    [],
    'publishing removes what killed imports left behind',
  )
  // Of an import that was killed while it wrote the file.
  await writeFile(join(site.data, 'releases', 'vehicles', '7.table.1-01234567.tmp'), 'half')
  await site.serve()
  assert.deepEqual(await leftovers(site, 'vehicles'), [], 'so does a start')
})

const other = (rows: number | undefined): Variant => (rows === VARIANTS[0].rows ? VARIANTS[1] : VARIANTS[0])

function startImport(site: Site) {
  const child = site.start(['import', 'vehicles', '-'])
  child.stdin.on('error', () => {})
  child.stdout.resume()
  child.stderr.resume()
  return child
}

/** How long an import takes here from its first file to its release; a little more, so that some are killed too late. */
async function timeWholeImport(site: Site): Promise<number> {
  const child = startImport(site)
  const ended = once(child, 'exit')
  child.stdin.end(other((await site.store.releases.current('vehicles'))?.rows).source)
  const isPublished = async () => (await site.store.releases.current('vehicles'))?.number === 2
  await until(async () => (await leftovers(site, 'vehicles')).length > 0 || isPublished(), 'the first import')
  const begun = performance.now()
  await until(isPublished, 'the second release')
  const tookMs = performance.now() - begun
  assert.deepEqual(await ended, [0, null])
  return tookMs * 1.15
}

function watchAnswers(serving: Serving) {
  const known: readonly string[] = VARIANTS.map(({ makes }) => makes)
  const stopping = new AbortController()
  let answers = 0
  let failure: unknown
  const watching = (async () => {
    for (; !stopping.signal.aborted; answers++) {
      const { status, text } = await serving.get('/v1/vehicles/makes')
      assert.ok(status === 200 && known.includes(text), `${status} ${text.slice(0, 200)}`)
      await pause(20)
    }
  })().catch(error => {
    failure = error
  })
  return {
    failure: () => failure,
    async stop(): Promise<number> {
      stopping.abort()
      await watching
      assert.equal(failure, undefined)
      return answers
    },
  }
}
