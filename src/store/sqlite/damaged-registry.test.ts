import assert from 'node:assert/strict'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { seededRandom } from '../../../demo/random.ts'
import { emptyFolder } from '../../../test/support/folder.ts'
import { allRecords, publishAll, VEHICLES, vehicles } from '../../../test/support/stored-vehicles.ts'
import { openStore } from '../open-store.ts'
import { DamagedReleaseError, type Store, StoreUnusableError, UnknownReleaseError } from '../store.ts'

const EVER = { from: 0, to: Date.parse('2100-01-01') }
const observation = (time: string) => ({
  timestamp: time,
  entries: [{ code: 'A', name: 'A', spaces: 3, status: 'good', open: true }],
})

/** Everything that reads or writes the registry. */
const USES: readonly ((store: Store) => Promise<unknown>)[] = [
  ({ releases }) => releases.revision(),
  ({ releases }) => releases.list('vehicles'),
  async ({ releases }) => {
    const release = await releases.current('vehicles')
    const opened = release && (await releases.open(release, VEHICLES))
    if (opened !== undefined) await allRecords(opened)
  },
  ({ releases }) => releases.firstSeen('vehicles'),
  ({ releases }) => releases.makeCurrent('vehicles', 1),
  ({ releases }) => releases.sweep(),
  ({ readings }) => readings.latestObservation(),
  ({ readings }) => readings.keptHistory(),
  ({ readings }) => readings.readings(EVER),
  ({ readings }) => readings.summaries(EVER, 'hour'),
  ({ readings }) => readings.saveObservation(observation('2026-02-01T00:00:00.000Z')),
  ({ readings }) => readings.dropHistory(600_000),
  store => publishAll(store, 'vehicles', VEHICLES, vehicles(9)),
  store => store.verify(),
]

/** The folder of a store with releases and readings, and its registry. */
async function filled(t: TestContext) {
  const folder = await emptyFolder(t)
  const store = await openStore(`sqlite:${folder}`)
  for (const rows of [20, 21]) await publishAll(store, 'vehicles', VEHICLES, vehicles(rows))
  const at = (n: number) => ({ at: n * 60_000, code: `A${n % 3}`, name: 'A', spaces: n % 500 })
  const history = Array.from({ length: 2000 }, (_, n) => ({ ...at(n), open: null, status: null }))
  await store.readings.saveHistory(history)
  await store.readings.saveObservation(observation('2026-01-01T00:00:00.000Z'))
  await store.close()
  return { folder, whole: await readFile(join(folder, 'registry.sqlite')) }
}

/** Uses a copy of a store with these bytes as its registry; fails for an error without a remedy. */
async function use(t: TestContext, folder: string, what: string, bytes: Buffer): Promise<string[]> {
  const copy = await emptyFolder(t)
  await cp(folder, copy, { recursive: true })
  await writeFile(join(copy, 'registry.sqlite'), bytes)
  const messages: string[] = []
  const explained = (error: Error) => {
    if (error instanceof UnknownReleaseError) return
    assert.ok(
      error instanceof StoreUnusableError || error instanceof DamagedReleaseError,
      `${what}: ${error.stack}`,
    )
    assert.match(
      error.message,
      /: restore it from|: set DATABASE_URL to another folder|: run that version|; go back to/,
      what,
    )
    assert.doesNotMatch(error.message, /\n/)
    messages.push(error.message)
  }
  let store: Store
  try {
    store = await openStore(`sqlite:${copy}`)
  } catch (error) {
    explained(error as Error)
    return messages
  }
  for (const each of USES) await each(store).catch(explained)
  await store.close()
  return messages
}

test('a registry that is empty, text or cut short is refused, with what to do', async t => {
  const { folder, whole } = await filled(t)
  const text = 'this is no registry\n'
  const bad = {
    empty: Buffer.alloc(0),
    'short text': Buffer.from(text),
    'long text': Buffer.from(text.repeat(3000)),
    'of an unknown format': Buffer.from(whole).fill(9, 18, 19),
    ...Object.fromEntries(
      [50, 512, 4096, whole.length / 2, whole.length - 4096].map(n => [n, whole.subarray(0, n)]),
    ),
  }
  for (const [what, bytes] of Object.entries(bad))
    assert.match(
      (await use(t, folder, what, bytes)).join(),
      /registry\.sqlite is (?:damaged|not a database)/,
      what,
    )
})

test('each zeroed page of a registry is found, with what to do', async t => {
  const { folder, whole } = await filled(t)
  for (let page = 0; page < whole.length; page += 4096) {
    const found = await use(t, folder, `page at ${page}`, Buffer.from(whole).fill(0, page, page + 4096))
    assert.match(found.join(), /registry\.sqlite is /)
  }
})

test('no flipped bit of a registry ends in an error that does not say what to do', async t => {
  const { folder, whole } = await filled(t)
  const random = seededRandom(20261123, 'bits')
  const flip = (bytes: Buffer, at: number) => bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << random.int(0, 7)), at)
  for (let round = 0; round < 60; round++) {
    const bytes = Buffer.from(whole)
    // The first page has the header and the list of tables.
    const ats = Array.from({ length: 1 + (round % 20) }, () =>
      random.int(0, (round % 2 === 0 ? 4096 : whole.length) - 1),
    )
    for (const at of ats) flip(bytes, at)
    await use(t, folder, `bits of ${ats}`, bytes)
  }
})
