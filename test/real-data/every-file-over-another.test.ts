import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { dependentChecks } from '../../src/publishing/publish-checks.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { readReal, realDataMissing, realPath } from '../support/real-data.ts'
import { temporaryStore } from '../support/service.ts'

/*
 * Each file of a dataset over each other: what is refused, by which checks, and why that is right.
 *
 * carparks: the JSON and the CSV hold the same. The flat list has no live codes, owner ids and payment methods: they
 * would go, and with them live parking. Over it the full list only adds. A list without ids gives every car park another
 * id, whichever way round.
 * toilets: the later list has dropped the year, both sides and their members. Over it the full one only adds.
 * recycling, defibrillators: the raw lists have no ids, so every record would get another, whichever way round.
 */

const FILES = {
  'carparks.json': { dataset: 'carparks', path: 'carparks/carparks.json' },
  'carparks.csv': { dataset: 'carparks', path: 'carparks/carparks.csv' },
  'a flat list': { dataset: 'carparks', text: () => flatList() },
  'a list without ids': { dataset: 'carparks', text: () => listWithoutIds() },
  'toilets-full.json': { dataset: 'toilets', path: 'toilets/toilets-full.json' },
  'toilets-reduced-2025-10.json': { dataset: 'toilets', path: 'toilets/toilets-reduced-2025-10.json' },
  'recycling.json': { dataset: 'recycling', path: 'recycling/recycling.json' },
  'recycling-raw-2024-06.json': { dataset: 'recycling', path: 'recycling/recycling-raw-2024-06.json' },
  'defibrillators-2024-06.json': {
    dataset: 'defibrillators',
    path: 'defibrillators/defibrillators-2024-06.json',
  },
  'defibrillators-raw-2024-06.json': {
    dataset: 'defibrillators',
    path: 'defibrillators/defibrillators-raw-2024-06.json',
  },
} as const

type File = keyof typeof FILES

const EMPTIED = 'emptied-fields'
const IDS = 'replaced-ids'
const LIVE = 'live-codes'

/** The checks that refuse the second file over the first; none where it is published or holds the same. */
const CASES: readonly [before: File, then: File, ...refusedBy: string[]][] = [
  ['carparks.json', 'carparks.csv'],
  ['carparks.csv', 'carparks.json'],
  ['carparks.json', 'a flat list', EMPTIED, LIVE],
  ['a flat list', 'carparks.json'],
  ['carparks.csv', 'a flat list', EMPTIED, LIVE],
  ['a flat list', 'carparks.csv'],
  ['carparks.json', 'a list without ids', IDS],
  ['a list without ids', 'carparks.json', IDS],
  ['carparks.csv', 'a list without ids', IDS],
  ['a list without ids', 'carparks.csv', IDS],
  ['a flat list', 'a list without ids', IDS],
  ['a list without ids', 'a flat list', EMPTIED, IDS, LIVE],
  ['toilets-full.json', 'toilets-reduced-2025-10.json', EMPTIED],
  ['toilets-reduced-2025-10.json', 'toilets-full.json'],
  ['recycling.json', 'recycling-raw-2024-06.json', IDS],
  ['recycling-raw-2024-06.json', 'recycling.json', IDS],
  ['defibrillators-2024-06.json', 'defibrillators-raw-2024-06.json', IDS],
  ['defibrillators-raw-2024-06.json', 'defibrillators-2024-06.json', IDS],
]

test('the cases are every file of a dataset over every other, in both orders', () => {
  const files = Object.entries(FILES)
  const pairs = files.flatMap(([one, { dataset }]) =>
    files.filter(([other, its]) => its.dataset === dataset && other !== one).map(([other]) => [one, other]),
  )
  assert.deepEqual(
    CASES.map(([before, then]) => `${before} ${then}`).sort(),
    pairs.map(pair => pair.join(' ')).sort(),
  )
})

for (const [before, then, ...refusedBy] of CASES)
  test(`${then} over ${before}: ${refusedBy.join(', ') || 'not refused'}`, {
    skip: realDataMissing,
  }, async t => {
    const { load, currentTimes } = await setUp(t, FILES[before].dataset)
    assert.equal((await load(before)).outcome, 'published')
    const times = await currentTimes()
    const report = await load(then)
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed')
    t.diagnostic(`${then} over ${before}: ${report.outcome}${report.reason ? `: ${report.reason}` : ''}`)
    assert.deepEqual(
      failed.map(({ name }) => name),
      refusedBy,
      report.reason,
    )
    assert.equal(report.outcome === 'refused', refusedBy.length > 0)
    for (const [id, time] of await currentTimes()) assert.equal(times.get(id) ?? time, time, id)
  })

test('the flat list is refused with each loss by name', { skip: realDataMissing }, async t => {
  const { load } = await setUp(t, 'carparks')
  await load('carparks.json')
  const { checks } = await load('a flat list')
  assert.deepEqual(
    checks.flatMap(({ findings }) => findings),
    [
      'owner.id: 79 filled, now 0',
      'paymentMethods: 28 filled, now 0',
      'liveTrackingCode: 6 filled, now 0',
      'live parking would lose Sand Street MS (SANDST), Green Street MS (GREENST)',
    ],
  )
})

/** A store whose feed has counted two car parks, and the import into it. */
async function setUp(t: Parameters<typeof temporaryStore>[0], name: string) {
  const store = await temporaryStore(t)
  const entry = (code: string) => ({ name: code, code, spaces: 1, status: 'Open', open: true })
  const entries = [entry('GREENST'), entry('SANDST'), entry('TEST')]
  await store.readings.saveObservation({ timestamp: '2024-02-04T03:00:00.000Z', entries })
  const dataset = DATASETS.find(each => each.name === name) ?? assert.fail(name)
  const dependents = dependentChecks(name, store)
  return {
    async load(file: File) {
      const from = FILES[file]
      if ('path' in from) return importDataset({ store, dataset, dependents, source: realPath(from.path) })
      const input = Readable.from([await from.text()], { objectMode: false })
      return importDataset({ store, dataset, dependents, source: file, input })
    },
    async currentTimes() {
      const release = await store.releases.current(name)
      assert.ok(release)
      const opened = await store.releases.open(release, dataset.layout)
      const times = new Map<string, unknown>()
      for await (const { id, createdAt } of opened.records()) times.set(String(id), createdAt)
      return times
    },
  }
}

async function carparks(): Promise<Record<string, unknown>[]> {
  return JSON.parse(await readReal('carparks/carparks.json')).results
}

async function flatList(): Promise<string> {
  const flat = (await carparks()).map(
    ({ owner, paymentMethods, liveTrackingCode, createdAt, ...carpark }) => ({
      ...{ ...carpark, ownerName: (owner as { name: string }).name },
    }),
  )
  return JSON.stringify(flat)
}

async function listWithoutIds(): Promise<string> {
  return JSON.stringify((await carparks()).map(({ id, createdAt, ...carpark }) => carpark))
}
