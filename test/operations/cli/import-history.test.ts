import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openStore } from '../../../src/store/open-store.ts'
import { emptyFolder } from '../../support/folder.ts'
import { pds, startPds } from '../../support/pds.ts'
import { publish } from '../../support/service.ts'

const WIDE = `date,Green Street,Les Jardin
2025-07-01 10:05:00,8,70
2025-07-01 10:00:00,7,71
`
const CARPARKS =
  'name,type,surfaceType,spaces,disabledSpaces,parentChildSpaces,electricChargingSpaces,liveTrackingCode\n' +
  'Green Street MS,LONG_STAY,Tarmac,600,0,0,0,GREENST\n'
const MAP = ['--map', 'Les Jardin=LESJARDIN']

async function folderWithCarparks(t: TestContext): Promise<string> {
  const folder = await emptyFolder(t)
  const store = await openStore(`sqlite:${join(folder, 'data')}`)
  await publish(store, 'carparks', CARPARKS)
  await store.close()
  await writeFile(join(folder, 'history.csv.gz'), gzipSync(WIDE))
  return folder
}

async function kept(t: TestContext, folder: string): Promise<string[]> {
  const store = await openStore(`sqlite:${join(folder, 'data')}`)
  t.after(() => store.close())
  const readings = await store.readings.readings({ from: 0, to: Date.parse('2100-01-01') })
  return readings.map(
    ({ at, code, name, spaces }) => `${new Date(at).toISOString()} ${code} ${name} ${spaces}`,
  )
}

test('a history file is added under the codes of the car parks; the same again adds nothing', async t => {
  const folder = await folderWithCarparks(t)
  const words = ['import', 'live-spaces', 'history.csv.gz', ...MAP]
  const first = await pds(folder, words)
  assert.equal(first.status, 0, first.stderr)
  assert.equal(first.stderr, '')
  assert.match(first.stdout, /^live-spaces: added 4 readings as batch 1 \(undo: pds history remove 1\)$/m)
  assert.match(first.stdout, /^ {2}accepted +4$/m)
  assert.match(first.stdout, /^from 2025-07-01T09:00:00\.000Z to 2025-07-01T09:05:00\.000Z:$/m)
  assert.match(first.stdout, /^ {2}GREENST {4}Green Street MS {2}2$/m)
  assert.match(first.stdout, /^ {2}history\.csv\.gz +"LESJARDIN" +is not the code of a known car park$/m)
  assert.deepEqual(await kept(t, folder), [
    '2025-07-01T09:00:00.000Z GREENST Green Street MS 7',
    '2025-07-01T09:00:00.000Z LESJARDIN Les Jardin 71',
    '2025-07-01T09:05:00.000Z GREENST Green Street MS 8',
    '2025-07-01T09:05:00.000Z LESJARDIN Les Jardin 70',
  ])

  // Les Jardin is known by now.
  const again = await pds(folder, ['import', 'live-spaces', '-'], { input: WIDE })
  assert.match(again.stdout, /^live-spaces: nothing new: all readings are stored already$/m)
  assert.equal(again.status, 0)
})

test('an unknown column ends with 1 and what to type; nothing is added', async t => {
  const folder = await folderWithCarparks(t)
  const { status, stdout } = await pds(folder, ['import', 'live-spaces', 'history.csv.gz'])
  assert.equal(status, 1)
  assert.match(
    stdout,
    /^live-spaces: refused, nothing was changed: history\.csv\.gz: "Les Jardin" is not a known car park .* --map "Les Jardin=LESJARDIN"/,
  )
  assert.deepEqual(await kept(t, folder), [])
})

test('--json prints the report and nothing else, with every field that the documentation names', async t => {
  const folder = await folderWithCarparks(t)
  const input = `${WIDE}2025-07-01 10:10:00,many,69\n`
  const words = ['import', 'live-spaces', '-', ...MAP, '--json', '--dry-run']
  const refused = await pds(folder, words, { input })
  assert.equal(refused.status, 1)
  assert.equal(JSON.parse(refused.stdout).outcome, 'refused')

  const { status, stdout } = await pds(folder, [...words, '--reject-limit', '20%'], { input })
  const report = JSON.parse(stdout)
  assert.equal(status, 0)
  assert.deepEqual([report.outcome, report.read, report.rejected, report.added], ['dry run', 6, 1, 5])
  assert.deepEqual(
    { ...report.rejections[0] },
    { line: 4, column: 'Green Street', value: 'many', reason: 'spaces is "many", not a number' },
  )
  assert.deepEqual(await kept(t, folder), [])
  const page = readFileSync(new URL('../../../docs/reference/pds-import.md', import.meta.url), 'utf8')
  for (const field of Object.keys(report)) assert.ok(page.includes(`\`${field}\``), field)
})

test('--year and --time-zone place times; the zone of the feed is the default', async t => {
  const folder = await folderWithCarparks(t)
  const input = 'code,spaces,timestamp\nA,5,12-31 23:59:00\nA,6,01-01 00:04:00\n'
  const without = await pds(folder, ['import', 'live-spaces', '-'], { input })
  assert.match(without.stdout, /the times in the file have no year; give that of the first, as --year 2024/)
  const words = ['import', 'live-spaces', '-', '--year', '2023']
  await pds(folder, words, { input, environment: { LIVE_FEED_TIME_ZONE: 'America/New_York' } })
  await pds(folder, [...words, '--time-zone', 'UTC'], { input })
  assert.deepEqual(
    (await kept(t, folder)).map(line => line.slice(0, 16)),
    ['2023-12-31T23:59', '2024-01-01T00:04', '2024-01-01T04:59', '2024-01-01T05:04'],
  )
})

test('readings of the hours when clocks change are counted in the report', async t => {
  const folder = await folderWithCarparks(t)
  const input =
    'date,time,GREENST\n26/10/2025,00:59,1\n26/10/2025,01:00,2\n26/10/2025,01:30,3\n30/03/2025,01:30,4\n'
  const { status, stdout } = await pds(folder, ['import', 'live-spaces', '-'], { input })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^ {2}skipped +2$/m)
  assert.match(
    stdout,
    /^2 readings left out: the clocks show that hour twice, and the file does not say which is meant$/m,
  )
  assert.match(stdout, /^1 reading moved on by an hour: the clocks skip that hour$/m)
  assert.deepEqual(
    (await kept(t, folder)).map(line => line.slice(0, 16)),
    ['2025-03-30T01:30', '2025-10-25T23:59'],
  )
})

test('an option that does not apply is wrong usage', async t => {
  const folder = await emptyFolder(t)
  const usage = async (...words: readonly string[]) => {
    const { status, stderr } = await pds(folder, ['import', ...words])
    assert.equal(status, 2, stderr)
    return stderr
  }
  assert.match(await usage('live-space', 'x'), /did you mean live-spaces\?/)
  assert.match(await usage('live-spaces', 'x', '--force'), /--force is not for live-spaces/)
  assert.match(
    await usage('toilets', 'x', '--year', '2024'),
    /--year and --time-zone are for live-spaces alone/,
  )
  assert.match(await usage('live-spaces', 'x', '--year', '24'), /Allowed: a year such as 2024/)
  assert.match(
    await usage('live-spaces', 'x', '--time-zone', 'Mars'),
    /Allowed: a time zone of the IANA database/,
  )
  assert.equal(existsSync(join(folder, 'data')), false)
})

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`${signal} drops an import that is still reading: status ${status}, nothing added`, async t => {
    const folder = await folderWithCarparks(t)
    const child = startPds(folder, ['import', 'live-spaces', '-', ...MAP])
    // More than a pipe's buffer: once it is written the import is reading.
    const rows = Array.from(
      { length: 40_000 },
      (_, index) => `${new Date(index * 60_000).toISOString()},5,6\n`,
    )
    await new Promise(written => child.stdin.write(`date,Green Street,Les Jardin\n${rows.join('')}`, written))
    child.kill(signal)
    const [code] = await once(child, 'close')
    assert.equal(code, status)
    assert.deepEqual(await kept(t, folder), [])
  })
