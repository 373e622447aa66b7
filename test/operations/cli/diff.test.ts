import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../support/folder.ts'
import { answers, answersStatus, startUpstream } from '../../support/misbehaving-upstream.ts'
import { pds, startPds } from '../../support/pds.ts'
import { until } from '../../support/until.ts'

const toilet = (name: string, more: object = {}) => ({
  name,
  parish: 'Trinity',
  latitude: 49.2,
  longitude: -2.1,
  buildDate: 1960,
  owner: { id: null, name: 'Parish of Trinity' },
  facilities: ['DISABLED', 'BEACH_SHOWER'],
  ...more,
})
const json = (...records: object[]) => JSON.stringify(records)

/** Three releases: of Mill and Hill; of a changed Mill alone; and of Bay besides. */
const RELEASES = [
  json(toilet('Mill'), toilet('Hill')),
  json(toilet('Mill', { buildDate: 1961, owner: { id: null, name: 'States' }, facilities: ['DISABLED'] })),
  json(
    toilet('Mill', { buildDate: 1961, owner: { id: null, name: 'States' }, facilities: ['DISABLED'] }),
    toilet('Bay'),
  ),
]

test('releases and sources are compared as the arguments name them', async t => {
  const folder = await emptyFolder(t)
  for (const input of RELEASES) await pds(folder, ['import', 'toilets', '-', '--force'], { input })
  const diff = async (words: readonly string[], input = '') => {
    const { status, stdout, stderr } = await pds(folder, ['diff', 'toilets', ...words], { input })
    assert.deepEqual([status, stderr], [0, ''], words.join(' '))
    return stdout
  }

  await t.test('in words: each record by its name, with its changed fields', async () => {
    assert.match(
      await diff([]),
      /^toilets: release 2 \(1 row\) -> release 3 \(2 rows\): 1 added, 0 removed, 0 changed\n\n\+ Bay, Trinity {2}[0-9a-f-]{36}\n$/,
    )
    const lines = (await diff(['1', '2'])).split('\n')
    assert.equal(lines[0], 'toilets: release 1 (2 rows) -> release 2 (1 row): 0 added, 1 removed, 1 changed')
    assert.match(lines[2] ?? '', /^- Hill, Trinity {2}[0-9a-f-]{36}$/)
    assert.match(lines[4] ?? '', /^~ Mill, Trinity {2}[0-9a-f-]{36}$/)
    assert.deepEqual(lines.slice(5), [
      '    owner.name: "Parish of Trinity" -> "States"',
      '    buildDate: 1960 -> 1961',
      '    facilities: -"BEACH_SHOWER"',
      '',
    ])
  })

  await t.test(
    'one number is compared with the current release, a file with the current or the one named',
    async () => {
      assert.match(
        await diff(['1']),
        /release 1 \(2 rows\) -> release 3 \(2 rows\): 1 added, 1 removed, 1 changed/,
      )
      assert.match(
        await diff(['-'], RELEASES[0]),
        /release 3 .* -> standard input \(2 rows\): 1 added, 1 removed/,
      )
      assert.match(
        await diff(['1', '-'], RELEASES[0]),
        /release 1 .* -> standard input \(2 rows\): the same records\n$/,
      )
      await writeFile(join(folder, '1'), RELEASES[1] ?? '')
      assert.match(await diff(['1', './1']), /-> \.\/1 \(1 row\): 0 added, 1 removed, 1 changed/)
      const turned = json(...JSON.parse(RELEASES[2] ?? '').reverse())
      assert.match(await diff(['-'], turned), /: the same records in another order\n$/)
    },
  )

  await t.test('as one JSON document', async () => {
    const { dataset, from, to, counts, ...lists } = JSON.parse(await diff(['1', '2', '--json']))
    assert.deepEqual([dataset, from.release, from.rows, to.release, to.rows], ['toilets', 1, 2, 2, 1])
    assert.match(to.hash, /^[0-9a-f]{64}$/)
    assert.deepEqual(counts, { added: 0, changed: 1, removed: 1 })
    assert.deepEqual([lists.added, lists.removed.map(({ name }: { name: string }) => name)], [[], ['Hill']])
    const [{ id, fields, record }] = lists.changed
    assert.deepEqual([record.id, record.buildDate], [id, 1961])
    assert.deepEqual(fields.buildDate, { from: 1960, to: 1961 })
    assert.deepEqual(Object.keys(fields), ['owner', 'buildDate', 'facilities'])
  })

  await t.test('rejected rows are counted and listed, and columns that are ignored named', async () => {
    const input =
      'name,parish,PLACE,colour,latitude,longitude\nMill,Trinity,,red,x,\nBay,Trinity,,red,49.2,-2.1\n'
    const words = ['-', '--map', 'PLACE=tenure']
    const text = await diff(words, input)
    assert.match(
      text,
      /^ {2}of 2 rows 1 rejected, 0 skipped as repetitions; a record of release 3 whose row is /m,
    )
    assert.match(text, /^rejected rows:\n {2}-:2 {2}latitude {2}"x" {2}must be a number/m)
    assert.match(text, /match no field .*: "colour"$/m)
    const { to, counts } = JSON.parse(await diff([...words, '--json'], input))
    assert.deepEqual([to.source, to.rows, to.read, to.rejected, counts.removed], ['-', 1, 2, 1, 1])
    assert.deepEqual([to.rejections[0].line, to.ignoredColumns], [2, ['colour']])
  })

  await t.test('what a source says cannot control the terminal', async () => {
    const input = json(toilet('Mill \u0007'))
    assert.match(await diff(['-'], input), /"Mill \\u\{7\}" {2}contains a control character/)
    assert.match(await diff(['-', '--json'], input), /"Mill \\u0007"/)
  })
})

test('an address is compared as a file is, by the rules of an import, and leaves no file', async t => {
  const folder = await emptyFolder(t)
  for (const input of RELEASES.slice(0, 2))
    await pds(folder, ['import', 'toilets', '-', '--force'], { input })
  const server = await startUpstream(answers(RELEASES[2] ?? ''))
  t.after(() => server.close())
  const url = `${server.url}?key=s3cret`.replace('//', '//bob:s3cret@')
  const temporary = await emptyFolder(t)
  const diff = (...words: string[]) =>
    pds(folder, ['diff', 'toilets', ...words], {
      environment: { TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '1' },
    })
  const shown = `http://…@${new URL(server.url).host}/…`

  const current = await diff(url, '--allow-private')
  assert.ok(current.stdout.startsWith(`toilets: release 2 (1 row) -> ${shown} (2 rows): 1 added, 0 removed`))
  const { from, to, counts } = JSON.parse((await diff('1', url, '--allow-private', '--json')).stdout)
  assert.deepEqual([from.release, to.source, counts], [1, shown, { added: 1, changed: 1, removed: 1 }])

  const refused = await diff(url)
  assert.ok(refused.stderr.startsWith(`error: toilets: ${shown} cannot be read: 127.0.0.1 is an address of`))
  server.behaviour = answersStatus(404)
  const missing = await diff(url, '--allow-private')
  assert.ok(missing.stderr.endsWith(`${shown} cannot be read: the server responded with status 404\n`))
  server.behaviour = answers('<!doctype html><title>Maintenance</title>')
  const page = await diff(url, '--allow-private')
  assert.match(page.stderr, /cannot be read: the server sent an HTML page, not data/)
  for (const { status, stdout, stderr } of [refused, missing, page]) {
    assert.deepEqual([status, stdout], [1, ''])
    assert.equal(stderr.trimEnd().split('\n').length, 1)
    assert.doesNotMatch(stderr, /s3cret/)
  }
  assert.deepEqual([await readdir(folder), await readdir(temporary)], [['data'], []])
})

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`${signal} ends a diff at once in the middle, and it leaves no file`, async t => {
    const folder = await emptyFolder(t)
    await pds(folder, ['import', 'toilets', '-'], { input: RELEASES[0] ?? '' })
    const temporary = await emptyFolder(t)
    const child = startPds(folder, ['diff', 'toilets', '-'], {
      TMPDIR: temporary,
      NODE_DISABLE_COMPILE_CACHE: '1',
    })
    t.after(() => child.kill('SIGKILL'))
    child.stdin.on('error', () => {})
    const some = Array.from({ length: 8000 }, (_, at) => JSON.stringify(toilet(`Mill ${at}`)))
    child.stdin.write(`[\n${some.join(',\n')},`)
    // The temporary file is open by then, without a name.
    const isSpooling = async () => {
      const fds = join('/proc', String(child.pid), 'fd')
      const open = await Promise.all((await readdir(fds)).map(fd => readlink(join(fds, fd)).catch(() => '')))
      return open.some(path => path.startsWith(temporary) && path.endsWith(' (deleted)'))
    }
    await until(isSpooling, 'differences that memory does not hold')
    const startedAt = performance.now()
    child.kill(signal)
    const [status, by] = await once(child, 'close')
    // The service promises one second; the rest is for a busy machine.
    assert.ok(performance.now() - startedAt < 2000)
    assert.deepEqual([status, by], signal === 'SIGTERM' ? [143, null] : [null, signal])
    assert.deepEqual([await readdir(folder), await readdir(temporary)], [['data'], []])
  })

test('twenty records of each kind are listed, or all', async t => {
  const folder = await emptyFolder(t)
  const some = (count: number) => Array.from({ length: count }, (_, at) => toilet(`Mill ${at}`))
  await pds(folder, ['import', 'toilets', '-'], { input: json(...some(1)) })
  const diff = async (...words: string[]) =>
    (await pds(folder, ['diff', 'toilets', '-', ...words], { input: json(...some(31)) })).stdout
  const listed = (text: string) => text.split('\n').filter(line => line.startsWith('+ ')).length
  const bounded = await diff()
  assert.equal(listed(bounded), 20)
  assert.match(bounded, /\n {2}\.\.\. and 10 more added \(use --all to list them\)\n$/)
  assert.equal(listed(await diff('--all')), 30)
})

test('vehicles, which have no ids, are compared by fingerprint and number of copies', async t => {
  const folder = await emptyFolder(t)
  const vehicles = (...rows: string[]) => `make,model,color,firstRegisteredAt\n${rows.join('\n')}\n`
  const [grey, red, other] = [
    'Mini,One,Grey,01/02/2003',
    'Mini,One,Red,01/02/2003',
    'Ford,Ka,Blue,02/02/2003',
  ]
  await pds(folder, ['import', 'vehicles', '-'], { input: vehicles(grey, grey, grey, other) })
  const input = vehicles(grey, red)
  const { stdout } = await pds(folder, ['diff', 'vehicles', '-'], { input })
  assert.match(
    stdout,
    /0 added, 2 removed, 1 changed\n\n- Mini, One {2}[0-9a-f]{12}…\n- Ford, Ka {2}\S+…\n\n~ Mini, One {2}\S+…\n {4}color: "Grey" -> "Red"\n$/,
  )
})

test('what cannot be compared is refused with one line; the store stays as it was', async t => {
  const folder = await emptyFolder(t)
  await pds(folder, ['import', 'toilets', '-'], { input: RELEASES[0] ?? '' })
  await mkdir(join(folder, 'toilets'))
  for (const [words, status, says] of [
    [['toilets'], 1, 'toilets has no release older than the current one, 1; kept: 1'],
    [['toilets', '7'], 1, 'no release 7 of toilets is kept; kept: 1'],
    [['toilets', '1', '9'], 1, 'no release 9 of toilets is kept; kept: 1'],
    [['recycling'], 1, 'recycling has no release: `pds import recycling <file>` makes one'],
    [['toilets', '-'], 1, 'toilets from -: the source is empty; nothing was read from it'],
    [['toilets', 'toilets'], 1, 'toilets is a folder: name a file in it'],
    [['toilets', '-', '--map', 'X=name'], 1, /^error: toilets from -: /],
    [['toilets', 'a.csv', '1'], 2, /^error: "a\.csv" is not the number of a release; a source comes last: /],
    [['toilets', 'ftp://a:secret@b/c'], 2, /^error: ftp:\/\/…@b\/… cannot be fetched: name a file, or an /],
    [['toilets', 'a.csv', '--allow-private'], 2, '--allow-private is for addresses alone'],
    [['toilets', '1', '--map', 'X=name'], 2, '--map is for a source, but only releases are compared'],
    [['toilets', '--allow-private'], 2, '--allow-private is for a source, but only releases are compared'],
    [
      ['toilets', '1', '2', '--delimiter', 'tab'],
      2,
      '--delimiter is for a source, but only releases are compared',
    ],
    [['toilets', 'a.csv', '--map', 'X=nam'], 2, /unknown field "nam": did you mean name\?/],
  ] as const) {
    const ended = await pds(folder, ['diff', ...words])
    assert.deepEqual([ended.status, ended.stdout], [status, ''], words.join(' '))
    if (typeof says === 'string') assert.ok(ended.stderr.endsWith(`${says}\n`), ended.stderr)
    else assert.match(ended.stderr, says)
    assert.equal(ended.stderr.trimEnd().split('\n').length, 1)
  }
  const none = await pds(await emptyFolder(t), ['diff', 'toilets'])
  assert.match(none.stderr, /^error: there is no store in /)
  assert.deepEqual((await readdir(folder)).sort(), ['data', 'toilets'])
})
