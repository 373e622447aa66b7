import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../../../../test/support/folder.ts'
import { openStore } from '../../open-store.ts'
import { openDatabase } from '../driver.ts'
import { registryPath } from '../paths.ts'
import { registry } from './001-registry.ts'

const ALL = { from: 0, to: Date.parse('2030-01-01') }
const at = (time: string) => Date.parse(`2025-03-30T${time}Z`)

/** A folder with a store of the first schema version, filled by the statements. */
async function firstSchema(t: TestContext, ...statements: string[]): Promise<string> {
  const folder = await emptyFolder(t)
  const database = openDatabase(registryPath(folder))
  database.exec('pragma file.journal_mode = wal')
  database.exec(registry)
  for (const statement of statements) database.exec(statement)
  database.exec(`pragma file.application_id = ${0x50_44_53_72}; pragma file.user_version = 1`)
  database.close()
  return folder
}

async function opened(t: TestContext, folder: string) {
  const store = await openStore(`sqlite:${folder}`)
  t.after(() => store.close())
  return store
}

const NAMES = `
  insert into file.reading_names values (1, 'SANDST', 'Sand Street'), (2, 'TEST', 'Test'), (7, 'SANDST', 'Sand St');
  insert into file.reading_statuses values (3, 'good'), (4, 'Full');`
const reading = (time: string, ordinal: number, name: number, spaces: number, status = 3, open = 1) =>
  `(${at(time)}, ${ordinal}, ${name}, ${spaces}, ${status}, ${open})`

test('readings of the first schema are kept with their hours, and the latest observation is the same', async t => {
  const folder = await firstSchema(
    t,
    NAMES,
    `insert into file.observations values (${at('08:58:01.500')}), (${at('09:00')}), (${at('09:05')})`,
    `insert into file.readings values ${[
      reading('08:58:01.500', 0, 2, 100),
      reading('08:58:01.500', 1, 1, 7),
      reading('09:00', 0, 1, 5),
      reading('09:05', 0, 7, 0, 4, 0),
      reading('09:05', 1, 2, 100_000),
    ].join()}`,
    "insert into file.datasets values ('toilets', 3, null, null)",
    'update file.state set revision = 12',
  )
  const store = await opened(t, folder)
  const test = { code: 'TEST', name: 'Test', status: 'good', open: true }
  const sand = { ...test, code: 'SANDST', name: 'Sand Street' }
  const renamed = { code: 'SANDST', name: 'Sand St', status: 'Full', open: false }
  assert.deepEqual(await store.readings.latestObservation(), {
    timestamp: '2025-03-30T09:05:00.000Z',
    entries: [
      { ...renamed, spaces: 0 },
      { ...test, spaces: 100_000 },
    ],
  })
  assert.deepEqual(await store.readings.readings(ALL), [
    { ...test, at: at('08:58:01.500'), spaces: 100 },
    { ...sand, at: at('08:58:01.500'), spaces: 7 },
    { ...sand, at: at('09:00'), spaces: 5 },
    { ...renamed, at: at('09:05'), spaces: 0 },
    { ...test, at: at('09:05'), spaces: 100_000 },
  ])
  const one = { count: 1 }
  assert.deepEqual(await store.readings.summaries(ALL, 'hour'), [
    { ...one, code: 'SANDST', from: at('08:00'), min: 7, max: 7, sum: 7, last: 7 },
    { ...one, code: 'TEST', from: at('08:00'), min: 100, max: 100, sum: 100, last: 100 },
    { code: 'SANDST', from: at('09:00'), min: 0, max: 5, sum: 5, count: 2, last: 0 },
    { ...one, code: 'TEST', from: at('09:00'), min: 100_000, max: 100_000, sum: 100_000, last: 100_000 },
  ])
  assert.deepEqual(await store.readings.keptHistory(), [
    { code: 'SANDST', name: 'Sand St', first: at('08:58:01.500'), last: at('09:05') },
    { code: 'TEST', name: 'Test', first: at('08:58:01.500'), last: at('09:05') },
  ])
  assert.deepEqual([await store.releases.revision(), await store.readings.historyRevision()], [12, 0])

  // New readings can be added after it.
  const next = { timestamp: '2025-03-30T09:10:00.000Z', entries: [{ ...sand, spaces: 9 }] }
  await store.readings.saveObservation(next)
  await store.readings.saveObservation({ ...next, timestamp: '2025-03-30T09:05:00.000Z' })
  assert.deepEqual(await store.readings.latestObservation(), next)
  const [hour] = await store.readings.summaries({ ...ALL, from: at('09:00'), code: 'SANDST' }, 'hour')
  assert.deepEqual(hour, { code: 'SANDST', from: at('09:00'), min: 0, max: 9, sum: 14, count: 3, last: 9 })
})

test('of an entry that was listed twice at one time the first is kept', async t => {
  const folder = await firstSchema(
    t,
    NAMES,
    `insert into file.observations values (${at('09:00')})`,
    `insert into file.readings values ${[
      reading('09:00', 0, 1, 5),
      reading('09:00', 1, 2, 100),
      reading('09:00', 2, 1, 6),
    ].join()}`,
  )
  const store = await opened(t, folder)
  assert.deepEqual(
    (await store.readings.latestObservation())?.entries.map(({ code, spaces }) => [code, spaces]),
    [
      ['SANDST', 5],
      ['TEST', 100],
    ],
  )
  assert.equal((await store.readings.summaries({ ...ALL, code: 'SANDST' }, 'hour'))[0]?.count, 1)
})

test('an empty registry of the first schema is brought up to date', async t => {
  const folder = await firstSchema(t)
  const store = await opened(t, folder)
  assert.deepEqual(
    [await store.readings.keptHistory(), await store.readings.latestObservation()],
    [[], undefined],
  )
})
