import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openStore } from '../../../src/store/open-store.ts'
import { emptyFolder } from '../../support/folder.ts'
import { pds } from '../../support/pds.ts'

const at = (time: string) => Date.parse(`2025-07-01T${time}:00Z`)
const reading = (time: string, code: string, spaces: number) => ({
  ...{ at: at(time), code, name: code, spaces, open: null, status: null },
})

/** A folder with two imports, the second of which repeats a reading of the first, and an observation. */
async function folderWithHistory(t: TestContext) {
  const folder = await emptyFolder(t)
  const store = await openStore(`sqlite:${join(folder, 'data')}`)
  t.after(() => store.close())
  await store.readings.saveHistory([reading('10:00', 'A', 1), reading('10:05', 'B', 2)], 'july.csv')
  await store.readings.saveHistory([reading('10:05', 'B', 2), reading('10:10', 'B', 3)], 'more\u001b.csv')
  const entry = { code: 'A', name: 'A', spaces: 4, status: 'good', open: true }
  await store.readings.saveObservation({ timestamp: '2025-07-01T12:00:00.000Z', entries: [entry] })
  const kept = async () =>
    (await store.readings.readings({ from: 0, to: at('23:00') })).map(
      ({ code, spaces }) => `${code} ${spaces}`,
    )
  return { folder, kept }
}

test('the list has each import, newest first, and what the feed stored', async t => {
  const { folder } = await folderWithHistory(t)
  const { status, stdout, stderr } = await pds(folder, ['history'])
  assert.deepEqual([status, stderr], [0, ''])
  const now = new RegExp(`${new Date().toISOString().slice(0, 10)}T[\\d:.]+Z`, 'g')
  assert.deepEqual(stdout.replace(now, 'NOW').replaceAll(/ +/g, ' ').split('\n'), [
    ' 2 NOW 1 reading 1 car park from 2025-07-01T10:10:00.000Z to 2025-07-01T10:10:00.000Z more\\u{1b}.csv',
    ' 1 NOW 2 readings 2 car parks from 2025-07-01T10:00:00.000Z to 2025-07-01T10:05:00.000Z july.csv',
    'feed 1 reading 1 car park from 2025-07-01T12:00:00.000Z to 2025-07-01T12:00:00.000Z',
    '',
  ])
})

test('remove says what it removes and which file to import again; a dry run removes nothing', async t => {
  const { folder, kept } = await folderWithHistory(t)
  const what =
    'batch 1, 2 readings of 2 car parks from 2025-07-01T10:00:00.000Z to 2025-07-01T10:05:00.000Z, imported from july.csv\n' +
    'batch 2 skipped readings that were stored already, perhaps some of these: import more\\u{1b}.csv again\n'
  const dry = await pds(folder, ['history', 'remove', '1', '--dry-run'])
  assert.deepEqual(dry, { status: 0, stdout: `dry run, nothing was removed: ${what}`, stderr: '' })
  assert.deepEqual(await kept(), ['A 1', 'B 2', 'B 3', 'A 4'])
  const removed = await pds(folder, ['history', 'remove', '1'])
  assert.deepEqual(removed, { status: 0, stdout: `removed ${what}`, stderr: '' })
  assert.deepEqual(await kept(), ['B 3', 'A 4'])

  const again = await pds(folder, ['history', 'remove', '1'])
  assert.deepEqual(again, { status: 1, stdout: '', stderr: 'error: there is no batch 1; stored: 2\n' })
  assert.deepEqual(await kept(), ['B 3', 'A 4'])
})

test('--json prints the list and what was removed, with every field that the documentation names', async t => {
  const { folder } = await folderWithHistory(t)
  const run = async (...words: string[]) =>
    JSON.parse((await pds(folder, ['history', ...words, '--json'])).stdout)
  const { batches, feed } = await run()
  const [second, first] = batches
  assert.deepEqual(feed, {
    ...{ readings: 1, carParks: 1 },
    ...{ first: '2025-07-01T12:00:00.000Z', last: '2025-07-01T12:00:00.000Z' },
  })
  assert.deepEqual([first.number, first.source, first.repeatedBy], [1, 'july.csv', [2]])
  assert.deepEqual(await run('remove', '2'), { outcome: 'removed', ...second })
  assert.deepEqual(await run(), { batches: [{ ...first, repeatedBy: [] }], feed })
  const page = readFileSync(new URL('../../../docs/reference/command-line.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## pds history\n')
  for (const field of ['outcome', ...Object.keys(first)]) assert.ok(section.includes(`\`${field}\``), field)
})

test('a store without readings says what stores them; without a store nothing is made', async t => {
  const folder = await emptyFolder(t)
  const absent = await pds(folder, ['history'])
  assert.deepEqual([absent.status, absent.stdout], [1, ''])
  assert.match(absent.stderr, /^error: there is no store/)
  await (await openStore(`sqlite:${join(folder, 'data')}`)).close()
  const empty = await pds(folder, ['history'])
  assert.deepEqual([empty.status, empty.stdout], [0, ''])
  assert.match(empty.stderr, /^no readings are stored: .*`pds import live-spaces <file>`/)
  const { stderr } = await pds(folder, ['history', 'remove', '1'])
  assert.equal(stderr, 'error: there is no batch 1; none is stored\n')
})
