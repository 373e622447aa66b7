import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { islandSource } from '../../demo/island.ts'
import { type Random, seededRandom } from '../../demo/random.ts'
import type { Dataset } from '../../src/datasets/dataset.ts'
import { DATASETS } from '../../src/datasets/index.ts'
import { hasGeometry } from '../../src/query/geometry.ts'
import type { StoredRecord } from '../../src/query/query.ts'
import { createFieldCounter } from '../../src/releases/import/checks/baseline.ts'
import { startChecks } from '../../src/releases/import/checks/checks.ts'
import { LIMITS } from '../../src/releases/import/checks/limits.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { BLUNDERS } from '../support/blunders.ts'
import { editedLists, newId, type PlaceRecord } from '../support/council-edits.ts'
import { readReal, realDataMissing } from '../support/real-data.ts'
import { temporaryStore } from '../support/service.ts'

/*
 * A year of edits is published without a person, and blunders are refused: the table of docs/reference/release-checks.md.
 * YEAR_OF_EDITS sets the number of releases of each list, YEAR_OF_EDITS_SEED the seed. YEAR_OF_EDITS_LIMITS=true prints how many false alarms and
 * misses there would be with half and twice of each limit.
 */

const RELEASES = Number(process.env.YEAR_OF_EDITS ?? 100)
const SEED = Number(process.env.YEAR_OF_EDITS_SEED ?? 28)
const PLACES = DATASETS.filter(({ record }) => hasGeometry(record))
const REAL: Readonly<Record<string, string>> = {
  carparks: 'carparks/carparks.json',
  toilets: 'toilets/toilets-full.json',
  recycling: 'recycling/recycling.json',
  defibrillators: 'defibrillators/defibrillators-2024-06.json',
}

const named = ({ knownBy: [name = 'id'] }: Dataset) => name

/** The list of the synthetic island with ids such as publishers issue. Its own notes say on each record that it is invented. */
async function inventedList({ name }: Dataset): Promise<PlaceRecord[]> {
  const { results } = JSON.parse(await text(islandSource(name).input))
  const random = seededRandom(SEED, name)
  return results.map((record: PlaceRecord) => ({
    ...{ ...record, id: newId(random) },
    ...(String(record.notes).startsWith('INVENTED') && { notes: random.chance(0.1) ? 'Ladies side' : null }),
  }))
}

async function realList({ name }: Dataset): Promise<PlaceRecord[]> {
  const parsed = JSON.parse(await readReal(REAL[name] ?? ''))
  const records: PlaceRecord[] = parsed.results ?? parsed
  return records.map(({ ownerName, ...record }) => record)
}

/** The list as a file: its form, separators, and the order of columns change from release to release. */
function fileOf(records: readonly PlaceRecord[], random: Random): string {
  const columns = Object.keys(records[0] ?? {}).sort(() => random.next() - 0.5)
  const added = random.chance(0.2) ? { remarks: 'seen', surveyed: '2025' } : {}
  const rows = records.map(record => ({
    ...Object.fromEntries(columns.map(column => [column, record[column]])),
    ...added,
  }))
  const form = random.int(0, 5)
  if (form === 0) return JSON.stringify({ results: rows }, null, 2)
  if (form === 1) return rows.map(row => JSON.stringify(row)).join('\n')
  if (form === 2) return JSON.stringify(rows)
  const [separator, inLists] = random.pick([
    [',', '|'],
    [';', ','],
    ['\t', ';'],
  ] as const)
  const cell = (value: unknown) => {
    if (value === null || value === undefined) return ''
    const plain = Array.isArray(value) ? value.join(inLists) : JSON.stringify(value)
    const shown = typeof value === 'string' ? value : plain
    return /[",;\t\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
  }
  const lines = rows.map(row => Object.values(row).map(cell).join(separator))
  return [[...columns, ...Object.keys(added)].join(separator), ...lines, ''].join('\r\n')
}

const inputOf = (content: string) => Readable.from([Buffer.from(content)], { objectMode: false })

const KINDS = [
  ['invented', inventedList],
  ['real', realList],
] as const

for (const dataset of PLACES)
  for (const [kind, first] of KINDS)
    test(`${RELEASES} releases of ${kind} ${dataset.name} are published without a person`, {
      skip: kind === 'real' && realDataMissing,
    }, async t => {
      const store = await temporaryStore(t)
      const load = (content: string) =>
        importDataset({ store, dataset, others: DATASETS, source: 'list', input: inputOf(content) })
      const list = await first(dataset)
      assert.equal((await load(JSON.stringify(list))).outcome, 'published')
      const random = seededRandom(SEED, 'files')
      const lists = editedLists(list, named(dataset), SEED)
      let [published, heldBack] = [0, 0]
      for (let release = 1; release <= RELEASES; release++) {
        const { records, edits } = lists.next().value
        const report = await load(fileOf(records, random))
        assert.notEqual(
          report.outcome,
          'refused',
          `release ${release} (${edits.join(', ')}): ${report.reason}`,
        )
        if (report.outcome === 'published') published++
        heldBack += report.heldBack.length
      }
      t.diagnostic(
        `${dataset.name}: ${published} of ${RELEASES} were new; ${heldBack} positions were held back`,
      )
      assert.ok(published > RELEASES * 0.6)
      assert.ok(heldBack > 0)
    })

const blunders = Object.entries(BLUNDERS)

test('there are at least thirty kinds of blunders', () => assert.ok(blunders.length >= 30))

for (const dataset of PLACES)
  for (const [kind, first] of KINDS)
    test(`blunders with ${kind} ${dataset.name} are refused, each by name`, {
      skip: kind === 'real' && realDataMissing,
    }, async t => {
      const store = await temporaryStore(t)
      const load = (records: readonly PlaceRecord[]) =>
        importDataset({ store, dataset, source: 'list', input: inputOf(JSON.stringify(records)) })
      const list = await first(dataset)
      await load(list)
      for (const [name, { check, datasets, spoil }] of blunders) {
        if (datasets?.includes(dataset.name) === false) continue
        const report = await load(spoil(list, seededRandom(SEED, name), named(dataset)))
        const failed = report.checks.filter(({ outcome }) => outcome === 'failed').map(each => each.name)
        assert.ok(failed.includes(check), `${name}: ${report.outcome}: ${report.reason ?? ''}`)
      }
    })

/** The checks of one list over another, without a store: those that fail, and the records as they would be published. */
async function judge(dataset: Dataset, before: readonly StoredRecord[], now: readonly StoredRecord[]) {
  const counter = createFieldCounter(dataset.record)
  for (const record of before) counter.add(record)
  const records = new Map(before.map(record => [String(record.id), record]))
  const baseline = { rows: before.length, records, fields: counter.counts() }
  const checking = startChecks(dataset, baseline)
  const published = now.map(given => {
    const held = checking.hold(String(given.id), given)
    checking.add(String(given.id), held.record, held)
    return held.record
  })
  const results = await checking.results(now.length)
  return { failed: results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name), published }
}

const FEW = 20

/** The invented lists, whole and the first few places of each. */
async function listsOfTwoSizes() {
  const whole = await Promise.all(
    PLACES.map(async dataset => ({ dataset, list: await inventedList(dataset), size: 'many' })),
  )
  return [...whole, ...whole.map(({ list, ...of }) => ({ ...of, list: list.slice(0, FEW), size: 'few' }))]
}

/** How many of the edited lists would be refused, and how many blunders published. */
async function errors(): Promise<{ alarms: string[]; misses: string[] }> {
  const alarms: string[] = []
  const misses = new Set<string>()
  for (const { dataset, list, size } of await listsOfTwoSizes()) {
    const lists = editedLists(list, named(dataset), SEED)
    let current: readonly StoredRecord[] = list
    for (let release = 0; release < RELEASES; release++) {
      const { records, edits } = lists.next().value
      const { failed, published } = await judge(dataset, current, records)
      if (failed.length > 0) alarms.push(`${failed} of ${size} ${dataset.name} (${edits})`)
      current = published
    }
    // What a check needs at least is more than some blunders do to a few places.
    if (size === 'few') continue
    for (const [name, { datasets, spoil }] of blunders) {
      if (datasets?.includes(dataset.name) === false) continue
      const spoilt = spoil(list, seededRandom(SEED, name), named(dataset))
      if ((await judge(dataset, list, spoilt)).failed.length === 0) misses.add(`${name} (${dataset.name})`)
    }
  }
  return { alarms, misses: [...misses] }
}

test('checks alone: no false alarms, with few places either, and no misses', async () => {
  assert.deepEqual(await errors(), { alarms: [], misses: [] })
})

test('half and twice of each limit: false alarms and misses', {
  skip: process.env.YEAR_OF_EDITS_LIMITS === undefined && 'YEAR_OF_EDITS_LIMITS is not set',
}, async t => {
  for (const [name, limit] of Object.entries(LIMITS))
    for (const [part, value] of Object.entries(limit))
      for (const factor of [0.5, 2]) {
        Object.assign(limit, { [part]: value * factor })
        const found = await errors()
        Object.assign(limit, { [part]: value })
        const counts = `${found.alarms.length} | ${found.misses.length}`
        t.diagnostic(`| ${name}.${part} | ${value * factor} | ${counts} | ${found.misses.join('; ')} |`)
      }
})
