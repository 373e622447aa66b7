import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { pastReadings } from '../../../test/support/filled-stores.ts'
import { emptyFolder } from '../../../test/support/folder.ts'
import { publish } from '../../../test/support/service.ts'
import { STORED_DATASETS } from '../../cli/stored-datasets.ts'
import { contentOf, measureRecords } from '../encoding/content.ts'
import { openStore } from '../open-store.ts'
import { DamagedBackupError } from '../store.ts'
import { backUp, restore, verifyBackup } from './transfer.ts'

const options = { datasets: STORED_DATASETS }
const LONG_AGO = '2026-03-01T10:00:00.000Z'

/** The lines of a backup of a store with a row in every table, without the last line. */
async function backedUp(t: TestContext) {
  const folder = await emptyFolder(t)
  const [address, file] = [`sqlite:${join(folder, 'data')}`, join(folder, 'backup.gz')]
  const store = await openStore(address)
  await publish(store, 'vehicles', 'MAKE,MODEL,FUEL TYPE,CC\nFord,Ka,Petrol,999\nLancia,Y,Petrol,\n')
  for (const name of ['Harbour', 'Market'])
    await publish(store, 'toilets', [{ name, parish: 'St. Helier', owner: 'Ports', female: { cubicles: 2 } }])
  await publish(store, 'product-recalls', [
    {
      id: 7,
      title: 'Nuts',
      problem: 'Allergy',
      recallDate: LONG_AGO,
      brand: 'A',
      furtherInformation: '<p>x</p>',
    },
  ])
  await store.readings.saveHistory(pastReadings(3), 'past.csv')
  const entries = [{ code: 'A', name: 'Car park A', spaces: 4, status: 'good', open: true }]
  await store.readings.saveObservation({ timestamp: LONG_AGO, entries })
  await store.incidents.save({
    key: 'abc',
    type: 'import.refused',
    data: { dataset: 'toilets', notes: ['a'] },
  })
  await store.sources.save({
    dataset: 'toilets',
    configuration: 'abc',
    triedAt: LONG_AGO,
    outcome: 'refused',
    reason: 'few',
    succeededAt: null,
    changed: { at: LONG_AGO, release: 2 },
    failures: 1,
    failingSince: LONG_AGO,
    refused: { at: LONG_AGO, reason: 'few', notes: ['a'] },
    report: { accepted: 1 },
    dueAt: LONG_AGO,
    validators: { etag: '"1"' },
    hash: null,
  })
  await store.close()
  await backUp(address, file, options)
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
    .slice(0, -1)
  return { folder, lines: lines.map(line => JSON.parse(line)), address }
}

/** Writes a backup with matching hashes, as a forger would. */
async function write(file: string, lines: readonly unknown[]): Promise<void> {
  const sealed = lines.map(line => structuredClone(line)) as Record<string, Record<string, unknown>>[]
  for (const [at, line] of sealed.entries()) {
    if (typeof line?.release !== 'object' || line.release === null) continue
    const measured = measureRecords()
    for (const records of sealed.slice(at + 1)) {
      if (!Array.isArray(records)) break
      for (const record of records) measured.add(contentOf(record))
    }
    const { hash, digest } = measured.end()
    Object.assign(line, { digest })
    if (line.release.dataset !== 'vehicles') line.release.hash = hash
  }
  const text = sealed.map(line => `${JSON.stringify(line)}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  await writeFile(file, gzipSync(`${text}${JSON.stringify({ sha256 })}\n`))
}

/** Reads everything that the service reads when it starts, and the commands that list. */
async function readStore(address: string) {
  const store = await openStore(address, { mustExist: true })
  try {
    const releases: unknown[] = []
    for (const { name, layout } of STORED_DATASETS)
      for (const release of await store.releases.list(name)) {
        assert.equal(new Date(release.publishedAt).toISOString(), release.publishedAt)
        const records: unknown[] = []
        for await (const record of (await store.releases.open(release, layout)).records())
          records.push(record)
        releases.push({ ...release, records, bytes: undefined, filled: undefined })
      }
    const { readings, sources, incidents } = store
    const all = { from: 0, to: Date.UTC(2030, 0, 1) }
    const [latest, kept, origins] = [
      await readings.latestObservation(),
      await readings.keptHistory(),
      await readings.origins(),
    ]
    const summaries = [await readings.summaries(all, 'hour'), await readings.summaries(all, 'quarter')]
    return {
      releases,
      latest,
      kept,
      origins,
      summaries,
      sources: await sources.list(),
      incidents: await incidents.list(),
    }
  } finally {
    await store.close()
  }
}

type Path = readonly (string | number)[]

/** The paths to all values in a line, including values of JSON inside a text. */
function* places(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path
  if (typeof value === 'object' && value !== null)
    for (const key of Object.keys(value)) yield* places(value[key as never], [...path, key])
}

function changed(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to
  const copy = structuredClone(value) as Record<string | number, unknown>
  copy[key] = changed(copy[key], rest, to)
  return copy
}

const FORGED = [
  ...[
    null,
    true,
    '',
    'x',
    -1,
    0,
    1,
    2,
    0.5,
    2 ** 31,
    2 ** 53,
    1e300,
    '1',
    [],
    {},
    [[1]],
    '\u001b[31mred\u202e',
  ],
  ...[
    '2026-03-01',
    '2026-02-30T00:00:00.000Z',
    '2016-12-31T23:59:60.000Z',
    '"',
    '{}',
    '[]',
    'null',
    '\0',
    '\ud800',
  ],
  ...['toilets', 'vehicles', '<script>alert(1)</script>', 'javascript:alert(1)', '__proto__', '0'.repeat(64)],
]

test('a backup with any value changed is refused in one line, or restored to a store that works', async t => {
  const { folder, lines, address } = await backedUp(t)
  const original = await readStore(address)
  const all = lines.flatMap((line, at) => [...places(line)].map(path => ({ at, path })))
  const [file, data] = [join(folder, 'forged.gz'), join(folder, 'restored')]
  await write(file, lines)
  await restore(file, `sqlite:${data}`, options)
  assert.deepEqual(await readStore(`sqlite:${data}`), original)
  let refused = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...all),
      fc.constantFrom<unknown>(...FORGED),
      async ({ at, path }, to) => {
        await rm(data, { recursive: true, force: true })
        await write(
          file,
          lines.map((line, index) => (index === at ? changed(line, path, to) : line)),
        )
        try {
          await verifyBackup(file, options)
        } catch (error) {
          assert.ok(error instanceof DamagedBackupError, String((error as Error).stack))
          assert.match(error.message, /forged\.gz(, line \d+)?[: ]/)
          assert.ok(error.message.length < 600 + file.length, error.message)
          assert.ok(
            !error.message.includes('\u001b') && !error.message.includes('\n'),
            JSON.stringify(error.message),
          )
          refused++
          await assert.rejects(restore(file, `sqlite:${data}`, options), DamagedBackupError)
          const store = existsSync(data) ? await readStore(`sqlite:${data}`) : undefined
          assert.deepEqual(store?.releases ?? [], [])
          assert.deepEqual(store?.kept ?? [], [])
          return
        }
        await restore(file, `sqlite:${data}`, options)
        const found = await readStore(`sqlite:${data}`)
        if (lines[at].format !== undefined) assert.deepEqual(found, original)
      },
    ),
    { numRuns: Number(process.env.PDS_TEST_RUNS ?? 150) },
  )
  assert.ok(refused > 0)
})
