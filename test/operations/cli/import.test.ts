import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeXlsx } from 'hucre'
import { emptyFolder } from '../../support/folder.ts'
import { answers, answersStatus, pausesHalfway, startUpstream } from '../../support/misbehaving-upstream.ts'
import { pds, startPds } from '../../support/pds.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../../support/postgres.ts'
import { run } from '../../support/postgres-server.ts'
import { until } from '../../support/until.ts'
import { isWriting } from '../../support/whole-store.ts'

const CENTRES = [
  { location: 'Parish Hall', parish: 'Grouville', latitude: 49.19, longitude: -2.04, services: ['GLASS'] },
  { location: 'Harbour', parish: 'St. Aubin', latitude: 49.18, longitude: -2.17, services: ['PAPER'] },
]
const BAD_CSV =
  'location,parish,latitude,longitude,services\nHall,Grouville,49.19,-2.04,GLASS\nPort,St. Aubin,north,-2.17,PAPER\n'

test('an import publishes a release; the same again does not; both say so', async t => {
  const folder = await emptyFolder(t)
  await writeFile(join(folder, 'centres.json'), JSON.stringify(CENTRES))
  const first = await pds(folder, ['import', 'recycling', 'centres.json'])
  assert.match(first.stdout, /^recycling: published release 1 \(hash [0-9a-f]{12}…\)$/m)
  assert.match(first.stdout, /^ {2}added +2$/m)
  assert.equal(first.stderr, '')
  assert.equal(first.status, 0)

  const again = await pds(folder, ['import', 'recycling', 'centres.json'])
  assert.match(again.stdout, /^recycling: no new release: release 1 holds the same records$/m)
  assert.equal(again.status, 0)
})

test('an import from an address gives the report and the release of a file, without the secrets', async t => {
  const folder = await emptyFolder(t)
  const server = await startUpstream(answers(JSON.stringify(CENTRES)))
  t.after(() => server.close())
  const url = `${server.url}?key=s3cret`.replace('//', '//bob:s3cret@')
  const shown = `http://…@${new URL(server.url).host}/…`
  const away = await pds(folder, ['import', 'recycling', url])
  assert.match(
    away.stdout,
    /^recycling: refused, nothing was changed: http:\S+ cannot be read: 127\.0\.0\.1 is an /,
  )
  assert.equal(away.status, 1)
  const done = await pds(folder, ['import', 'recycling', url, '--allow-private', '--json'])
  const { source, outcome, accepted } = JSON.parse(done.stdout)
  assert.deepEqual([done.status, source, outcome, accepted], [0, shown, 'published', 2])
  const listed = await pds(folder, ['releases', 'recycling'])
  assert.ok(listed.stdout.includes(shown))
  server.behaviour = answersStatus(404)
  const failed = await pds(folder, ['import', 'recycling', url, '--allow-private'])
  assert.match(failed.stdout, /cannot be read: the server responded with status 404$/m)
  assert.equal(failed.status, 1)
  for (const { stdout, stderr } of [away, done, listed, failed])
    assert.doesNotMatch(stdout + stderr, /s3cret/)
})

test('an import from a slow address holds up no other; killed, it leaves no file', async t => {
  const folder = await emptyFolder(t)
  const TMPDIR = join(folder, 'temporary')
  await mkdir(TMPDIR)
  await writeFile(join(folder, 'centres.json'), JSON.stringify(CENTRES))
  const server = await startUpstream(pausesHalfway(JSON.stringify(CENTRES)).behaviour)
  t.after(() => server.close())
  const slow = startPds(folder, ['import', 'recycling', server.url, '--allow-private'], {
    TMPDIR,
    NODE_DISABLE_COMPILE_CACHE: '1',
  })
  t.after(() => slow.kill('SIGKILL'))
  await until(async () => {
    const open = await readdir(`/proc/${slow.pid}/fd`)
    const files = await Promise.all(
      open.map(name => readlink(`/proc/${slow.pid}/fd/${name}`).catch(() => '')),
    )
    return files.some(file => file.startsWith(TMPDIR))
  }, 'the first half')
  const { status, stderr } = await pds(folder, ['import', 'recycling', 'centres.json'])
  assert.equal(status, 0, stderr)
  assert.doesNotMatch(stderr, /waiting/)
  const gone = once(slow, 'exit')
  slow.kill('SIGKILL')
  await gone
  assert.deepEqual(await readdir(TMPDIR), [])
})

test('a page is refused until that is accepted; an address is fetched to its last page', async t => {
  const folder = await emptyFolder(t)
  const [first, second] = CENTRES
  await writeFile(join(folder, 'page.json'), JSON.stringify({ total_count: 2, results: [first] }))
  const refused = await pds(folder, ['import', 'recycling', 'page.json'])
  assert.match(
    refused.stdout,
    /^recycling: refused, nothing was changed: page\.json: incomplete-source: the source holds 1 of 2 records \(total_count\); fetch all pages into one list; if that is right, use --accept incomplete-source, or --force for all checks$/m,
  )
  assert.equal(refused.status, 1)
  const accepted = await pds(folder, ['import', 'recycling', 'page.json', '--accept', 'incomplete-source'])
  assert.match(accepted.stdout, /^recycling: published release 1 /m)
  const server = await startUpstream((request, response) => {
    const results = request.url === '/2' ? [second] : [first]
    response.end(JSON.stringify({ total_count: 2, next: request.url === '/2' ? null : '/2', results }))
  })
  t.after(() => server.close())
  const whole = await pds(folder, ['import', 'recycling', server.url, '--allow-private'])
  assert.match(whole.stdout, /^recycling: published release 2 /m)
  server.behaviour = answersStatus(301, { location: 'https://new.example/list.csv' })
  const moved = await pds(folder, ['import', 'recycling', server.url, '--allow-private'])
  assert.match(
    moved.stdout,
    /cannot be read: the address has moved to https:\/\/new\.example\/list\.csv: use that$/m,
  )
  assert.equal(moved.status, 1)
})

test('--json prints the report and nothing else, from standard input too', async t => {
  const folder = await emptyFolder(t)
  const { status, stdout } = await pds(folder, ['import', 'recycling', '-', '--json'], {
    input: JSON.stringify({ results: CENTRES }),
  })
  const { durationMs, release, contentHash, checks, ...report } = JSON.parse(stdout)
  assert.deepEqual(checks[0], { name: 'row-count', outcome: 'passed', findings: [] })
  assert.deepEqual(report, {
    dataset: 'recycling',
    source: '-',
    outcome: 'published',
    read: 2,
    accepted: 2,
    rejected: 0,
    skipped: 0,
    warned: 0,
    added: 2,
    changed: 0,
    removed: 0,
    rejections: [],
    warnings: [],
    groups: { rejections: [], warnings: [] },
    losses: null,
    heldBack: [],
    corrected: [],
    ignoredColumns: [],
    recognisedColumns: Object.keys(CENTRES[0] ?? {}).map(field => ({ column: field, field })),
  })
  assert.ok(durationMs >= 0)
  assert.equal(release.number, 1)
  assert.match(release.hash, /^[0-9a-f]{64}$/)
  assert.equal(contentHash, release.hash)
  assert.equal(status, 0)
})

test('a refused import ends with 1, names file, line, column and value, and publishes nothing', async t => {
  const folder = await emptyFolder(t)
  await writeFile(join(folder, 'bad.csv'), BAD_CSV)
  const { status, stdout } = await pds(folder, ['import', 'recycling', 'bad.csv'])
  assert.equal(status, 1)
  assert.match(stdout, /^recycling: refused, nothing was changed: bad\.csv: 1 of 2 rows rejected/m)
  assert.match(stdout, /^ {2}bad\.csv:3 {2}latitude {2}"north" {2}\S/m)
  assert.equal((await pds(folder, ['releases', 'recycling'])).stdout, '')

  const json = await pds(folder, ['import', 'recycling', 'bad.csv', '--json'])
  const report = JSON.parse(json.stdout)
  assert.equal(json.status, 1)
  assert.equal(report.outcome, 'refused')
  assert.equal(report.release, null)
  const { line, column, value } = report.rejections[0]
  assert.deepEqual({ line, column, value }, { line: 3, column: 'latitude', value: 'north' })
  assert.equal(report.rejections.length, 1)
})

test('--reject-limit, --map and --dry-run do what they say', async t => {
  const folder = await emptyFolder(t)
  await writeFile(join(folder, 'bad.csv'), BAD_CSV.replace('location', 'WHERE=IT IS'))
  const words = [
    'import',
    'recycling',
    'bad.csv',
    '--map',
    'WHERE=IT IS=location',
    '--reject-limit',
    '50%',
    '--json',
  ]
  const dry = await pds(folder, [...words, '--dry-run'])
  assert.equal(JSON.parse(dry.stdout).outcome, 'dry run')
  assert.equal((await pds(folder, ['releases', 'recycling'])).stdout, '')

  const { status, stdout } = await pds(folder, words)
  const report = JSON.parse(stdout)
  assert.deepEqual([status, report.outcome, report.accepted, report.rejected], [0, 'published', 1, 1])
})

test('the options of reading take effect, and a value that is wrong for them or the source is refused', async t => {
  const folder = await emptyFolder(t)
  const table = 'location|parish|latitude|longitude|services\nCafé|Grouville|49.19|-2.04|GLASS,PAPER\n'
  await writeFile(join(folder, 'tabs.csv'), table.replaceAll('|', '\t'))
  await writeFile(join(folder, 'latin.csv'), Buffer.from(table, 'latin1'))
  const rows = table.split('\n').map(line => line.split('|'))
  const sheets = [
    { name: 'Notes', rows: [['Read me'], ['first']] },
    { name: 'Centres', rows },
  ]
  await writeFile(join(folder, 'centres.xlsx'), await writeXlsx({ sheets }))

  for (const [words, status, says] of [
    [['tabs.csv', '--delimiter', 'tab'], 0, 'accepted": 1'],
    [['tabs.csv', '--delimiter', ';'], 1, 'no column for location, parish'],
    [['tabs.csv', '--delimiter', 'x'], 2, "'x' is invalid. Allowed choices are ,, ;, |, tab."],
    [['tabs.csv', '--list-separator', ','], 0, 'accepted": 1'],
    [['tabs.csv', '--list-separator', '|'], 1, 'must be one of MIXED_TEXTILES'],
    [['tabs.csv', '--list-separator', '/'], 2, "'/' is invalid. Allowed choices are ,, ;, |."],
    [['latin.csv', '--encoding', 'windows-1252'], 0, 'accepted": 1'],
    [['latin.csv'], 1, 'add --encoding windows-1252'],
    [['latin.csv', '--encoding', 'latin-1'], 2, "'latin-1' is invalid. Allowed choices are utf-8, "],
    [['centres.xlsx', '--sheet', 'Centres'], 0, 'accepted": 1'],
    [['centres.xlsx'], 0, 'the sheet \\"Centres\\" is read, of the sheets Notes, Centres'],
    [['centres.xlsx', '--sheet', 'Centre'], 1, 'has no sheet \\"Centre\\"; its sheets are Notes, Centres'],
    [['tabs.csv', '--sheet', 'Centres'], 1, 'the source is not a workbook; leave it out'],
    [['tabs.csv', '--map', 'location=notes', '--map', 'parish=location'], 1, 'no column for parish'],
    [['tabs.csv', '--map', 'place=location'], 1, '--map names \\"place\\", which the source does not have'],
    [['tabs.csv', '--map', 'location=locaton'], 2, 'did you mean location?'],
    [['tabs.csv', '--map', 'location'], 2, 'Allowed: "HEADER=field".'],
  ] as const) {
    const ended = await pds(folder, ['import', 'recycling', ...words, '--dry-run', '--json'])
    assert.equal(ended.status, status, words.join(' ') + ended.stdout + ended.stderr)
    assert.ok((ended.stdout + ended.stderr).includes(says), words.join(' ') + ended.stdout + ended.stderr)
  }
})

test('a list that empties a field is refused, by a dry run too, until the check is accepted', async t => {
  const folder = await emptyFolder(t)
  const list = (code: string | null) =>
    JSON.stringify([
      {
        ...{ name: 'Green Street', type: 'LONG_STAY', surfaceType: 'TARMAC', multiStorey: true },
        ...{ latitude: 49.18, longitude: -2.1, spaces: 500, disabledSpaces: 5, parentChildSpaces: 0 },
        ...{ electricChargingSpaces: 0, liveTrackingCode: code },
      },
    ])
  const load = (code: string | null, ...options: string[]) =>
    pds(folder, ['import', 'carparks', '-', ...options], { input: list(code) })
  await load('GREENST')
  await writeFile(
    join(folder, 'history.csv'),
    'timestamp,code,name,spaces\n2024-02-04T10:00:00Z,GREENST,Green Street,7\n',
  )
  assert.equal((await pds(folder, ['import', 'live-spaces', 'history.csv'])).status, 0)

  for (const options of [[], ['--dry-run'], ['--accept', 'row-count']]) {
    const { status, stdout } = await load(null, ...options)
    assert.equal(status, 1)
    assert.match(
      stdout,
      /live-codes: live parking would lose Green Street \(GREENST\); if that is right, use --/,
    )
  }
  const json = JSON.parse((await load(null, '--json', '--dry-run')).stdout)
  assert.deepEqual(
    json.checks.filter(({ outcome }: { outcome: string }) => outcome === 'failed'),
    [
      {
        ...{ name: 'live-codes', outcome: 'failed' },
        findings: ['live parking would lose Green Street (GREENST)'],
      },
    ],
  )
  const accept = ['--accept', 'live-codes']
  assert.equal((await load(null, ...accept, '--dry-run')).status, 0)
  const accepted = await load(null, ...accept)
  assert.match(accepted.stdout, /^carparks: published release 2/m)
  assert.match(accepted.stdout, /^ {2}live-codes +accepted {2}live parking would lose Green Street/m)
})

test('sources that cannot be read are refused with the reason', async t => {
  const folder = await emptyFolder(t)
  const absent = await pds(folder, ['import', 'recycling', 'absent.csv'])
  assert.match(absent.stdout, /absent\.csv cannot be read: there is no such file/)
  assert.equal(absent.status, 1)
  const empty = await pds(folder, ['import', 'recycling', '-'])
  assert.match(empty.stdout, /refused, nothing was changed: standard input: the source is empty/)
  assert.equal(empty.status, 1)
})

test('an unusable store is reported in one line', async t => {
  const folder = await emptyFolder(t)
  await writeFile(join(folder, 'file'), '')
  const { status, stdout, stderr } = await pds(folder, ['import', 'recycling', '-'], {
    environment: { DATABASE_URL: 'sqlite:./file' },
  })
  assert.match(stderr, /^error: .*file is not a folder.*\n$/)
  assert.equal(stdout, '')
  assert.equal(status, 1)
})

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`${signal} drops an import: status ${status}, nothing changed, the next import works`, async t => {
    const folder = await emptyFolder(t)
    const input = JSON.stringify(CENTRES)
    await pds(folder, ['import', 'recycling', '-'], { input })

    const child = startPds(folder, ['import', 'recycling', '-'])
    child.stdin.write('[')
    const site = { data: join(folder, 'data') }
    await until(async () => child.exitCode !== null || isWriting(site), 'the import')
    child.kill(signal)
    const [code] = await once(child, 'close')
    assert.equal(code, status)
    assert.equal(isWriting(site), false)

    const after = await pds(folder, ['import', 'recycling', '-'], { input })
    assert.match(after.stdout, /no new release: release 1 holds/)
  })

test('an interrupted large import into PostgreSQL reports only that, and leaves no table', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async t => {
  const address = await (await cluster()).emptyDatabase()
  const environment = { DATABASE_URL: address, TABLE_ENGINE: 'sql' }
  const child = startPds(await emptyFolder(t), ['import', 'vehicles', '-'], environment)
  t.after(() => child.kill('SIGKILL'))
  let told = ''
  child.stderr.on('data', chunk => {
    told += chunk
  })
  child.stdin.on('error', () => {})
  child.stdin.write('MAKE,MODEL,FUEL TYPE\n')
  // The source is endless, so that rows still arrive while the release is discarded.
  const rows = 'Ford,FIESTA,Petrol\n'.repeat(1000)
  const feed = () => {
    while (child.stdin.writable && child.stdin.write(rows));
  }
  child.stdin.on('drain', feed)
  feed()
  const tables = () =>
    run(address, "select from pg_tables where schemaname = 'pds' and tablename ~ '^r[0-9]'")
  await until(async () => (await tables()).length > 0, 'the import')
  await until(() => /(?:[2-9]\d|\d{3}),\d{3} rows/.test(told), 'many rows')
  child.kill('SIGINT')
  const [status] = await once(child, 'close')
  assert.equal(status, 130, told)
  assert.match(told, /interrupted: nothing was changed\n$/)
  assert.doesNotMatch(told, /error|bug|[Ww]arning/)
  assert.deepEqual(await tables(), [])
})

test('a database is made where DATABASE_URL says', async t => {
  const folder = await emptyFolder(t)
  const environment = { DATABASE_URL: 'sqlite:./elsewhere' }
  await pds(folder, ['import', 'recycling', '-'], { input: JSON.stringify(CENTRES), environment })
  assert.deepEqual([existsSync(join(folder, 'elsewhere')), existsSync(join(folder, 'data'))], [true, false])
})

test('columns: names that are recognised, ignored, mapped to a position and left over', async t => {
  const folder = await emptyFolder(t)
  await writeFile(join(folder, 'list.csv'), 'id,location,parish,Where,Glass\n1,Hall,Trinity,"49.2, -2.1",y\n')
  const words = ['import', 'recycling', 'list.csv']
  const refused = await pds(folder, words)
  assert.match(refused.stdout, /missing-field: no record has latitude, longitude, .* --map "Where=position";/)
  assert.equal(refused.status, 1)
  const done = await pds(folder, [...words, '--map', 'Where=position', '--ignore', 'id'])
  assert.match(
    done.stdout,
    /^columns that are read as fields of other names:\n {2}"Where" +latitude\n {2}"Where" +longitude\n {2}"Glass" +services\.GLASS$/m,
  )
  assert.equal(done.status, 0)
  const both = await pds(folder, [...words, '--map', 'id=notes', '--ignore', 'id'])
  assert.match(both.stderr, /"id" is named by --map and by --ignore; keep one/)
  const history = await pds(folder, ['import', 'live-spaces', 'list.csv', '--ignore', 'id'])
  assert.match(history.stderr, /--ignore is not for live-spaces: use --map "HEADER=-"/)
  const same = await pds(folder, [
    'diff',
    'recycling',
    'list.csv',
    '--map',
    'Where=position',
    '--ignore',
    'id',
    '--json',
  ])
  assert.deepEqual(JSON.parse(same.stdout).counts, { added: 0, changed: 0, removed: 0 })
})
