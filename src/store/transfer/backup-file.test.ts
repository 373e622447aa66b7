import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { contentOf, fillStore, STORED } from '../../../test/support/filled-stores.ts'
import { emptyFolder } from '../../../test/support/folder.ts'
import { startProcess } from '../../../test/support/other-process.ts'
import { publishAll } from '../../../test/support/stored-vehicles.ts'
import { openStore } from '../open-store.ts'
import { FORMAT_VERSION, LONGEST_LINE } from './backup-file.ts'
import { backUp, restore, verifyBackup } from './transfer.ts'

const options = { datasets: STORED }

/** A small store in a folder, and its backup. */
async function backedUp(t: TestContext) {
  const folder = await emptyFolder(t)
  const [data, file] = [join(folder, 'data'), join(folder, 'backup.gz')]
  const store = await openStore(`sqlite:${data}`)
  await fillStore(store, { rows: 50, readings: 20 })
  await store.close()
  return {
    folder,
    data,
    file,
    source: `sqlite:${data}`,
    backup: await backUp(`sqlite:${data}`, file, options),
  }
}

const contentLength = (record: object) => Buffer.byteLength(JSON.stringify(record))

const refusal = (message: RegExp) => ({ name: 'DamagedBackupError', message })

test('a backup that is cut anywhere is refused, with the line', async t => {
  const { folder, file } = await backedUp(t)
  const bytes = await readFile(file)
  const cut = join(folder, 'cut.gz')
  for (const length of [0, 5, 20, bytes.length >> 2, bytes.length >> 1, bytes.length - 9, bytes.length - 1]) {
    await writeFile(cut, bytes.subarray(0, length))
    await assert.rejects(verifyBackup(cut, options), refusal(/cut\.gz, line \d+: the file is cut off here/))
  }
  const lines = gunzipSync(bytes)
    .toString()
    .split(/(?<=\n)/)
  for (const count of [1, 2, lines.length - 1]) {
    await writeFile(cut, gzipSync(lines.slice(0, count).join('')))
    await assert.rejects(
      verifyBackup(cut, options),
      refusal(new RegExp(`cut\\.gz, line ${count + 1}: the file is cut off here`)),
    )
  }
})

test('a backup that was altered is refused, with the line', async t => {
  const { folder, file } = await backedUp(t)
  const bytes = await readFile(file)
  const text = gunzipSync(bytes).toString()
  const altered = join(folder, 'altered.gz')
  const alterations: readonly [Buffer, RegExp][] = [
    [Buffer.from('no backup'), /line 1: it is not gzip, so the file is no backup/],
    [gzipSync('{"results":[]}\n'), /line 1: it is not the header of a backup/],
    [
      gzipSync(text.replace(`"version":${FORMAT_VERSION}`, `"version":${FORMAT_VERSION + 1}`)),
      /has a later format/,
    ],
    [gzipSync(text.replace('"b","name":"b"', '"b","name":"c"')), /records are not those that were published/],
    [gzipSync(text.replace('model 1"', 'model x"')), /records are not those that were published/],
    [
      gzipSync(text.replace('"toilets 3.json"', '"toilets x.json"')),
      /have another SHA-256, [0-9a-f]{64}, so/,
    ],
    [gzipSync(text.replace('{"table":"readings"', '{"tables":"readings"')), /it must not follow here/],
    [gzipSync(`${text}{}\n`), /goes on after its last line/],
  ]
  for (const [content, pattern] of alterations) {
    await writeFile(altered, content)
    await assert.rejects(verifyBackup(altered, options), refusal(pattern))
    await assert.rejects(restore(altered, `sqlite:${join(folder, 'new')}`, options), refusal(pattern))
    assert.deepEqual(
      (await contentOf(`sqlite:${join(folder, 'new')}`).catch(() => ({ releases: [] }))).releases,
      [],
    )
  }
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(flipped.length >> 1) ^ 1, flipped.length >> 1)
  await writeFile(altered, flipped)
  await assert.rejects(verifyBackup(altered, options), refusal(/line \d+: /))
})

test('a damaged release is left out of a backup, which says so', async t => {
  const { folder, data, source, backup } = await backedUp(t)
  const whole = await contentOf(source)
  await rm(join(data, 'releases', 'toilets', '3.ndjson.gz'))
  const file = join(folder, 'incomplete.gz')
  const { releases, missing } = await backUp(source, file, options)
  assert.equal(releases.length, backup.releases.length - 1)
  assert.match(missing[0]?.reason ?? '', /release 3 of toilets is damaged: .*3\.ndjson\.gz is missing/)
  const restored = await restore(file, `sqlite:${join(folder, 'new')}`, options)
  assert.deepEqual(restored.missing, missing)
  const expected = whole.releases.filter(({ dataset, number }) => dataset !== 'toilets' || number !== 3)
  assert.deepEqual((await contentOf(`sqlite:${join(folder, 'new')}`)).releases, expected)
})

test('long records are cut into lines that can be read, and one that fits no line is left out', async t => {
  const folder = await emptyFolder(t)
  const [source, file] = [`sqlite:${join(folder, 'data')}`, join(folder, 'long.gz')]
  const long = (id: string, length: number) => ({ id, name: 'é'.repeat(length) })
  const store = await openStore(source)
  // A line also has two brackets and a line feed.
  const most = LONGEST_LINE / 2 - contentLength(long('a', 0)) / 2 - 2
  for (const records of [
    [long('a', most), ...['b', 'c', 'd', 'e', 'f'].map(id => long(id, 200_000))],
    [long('a', most + 1)],
  ])
    await publishAll(store, 'toilets', { kind: 'documents' }, records)
  await store.close()
  const { missing } = await backUp(source, file, options)
  assert.deepEqual(
    missing.map(({ number, reason }) => [number, reason]),
    [[2, 'release 2 of toilets has a record of more than 1048576 bytes']],
  )
  const lines = gunzipSync(await readFile(file))
    .toString()
    .split('\n')
  const lengths = lines.map(line => Buffer.byteLength(line) + 1).filter(length => length > 10_000)
  assert.equal(lengths.length, 4)
  assert.ok(Math.max(...lengths) <= LONGEST_LINE && Math.max(...lengths) > LONGEST_LINE - 3, `${lengths}`)
  // The current release is missing, so the restored store has no current release, and its own backup neither.
  for (const [from, name] of [
    [file, 'one'],
    [join(folder, 'again.gz'), 'two'],
  ] as const) {
    await restore(from, `sqlite:${join(folder, name)}`, options)
    const { releases } = await contentOf(`sqlite:${join(folder, name)}`)
    assert.deepEqual(
      releases.map(({ number, currentSince, records }) => [number, currentSince, records.length]),
      [[1, null, 6]],
    )
    await backUp(`sqlite:${join(folder, name)}`, join(folder, 'again.gz'), { ...options, replace: true })
  }
})

test('a backup that cannot be finished leaves the file that was there, and no other', async t => {
  const { folder, source, file } = await backedUp(t)
  const before = await readFile(file)
  const aborting = new AbortController()
  const interrupted = backUp(source, file, {
    ...options,
    signal: aborting.signal,
    onProgress: () => aborting.abort(new Error('enough')),
  })
  await assert.rejects(interrupted, /enough/)
  assert.deepEqual((await readdir(folder)).sort(), ['backup.gz', 'data'])
  assert.deepEqual(await readFile(file), before)
})

test('a file that appears while a backup is written is not replaced, unless that is wanted', async t => {
  const { folder, source, file, backup } = await backedUp(t)
  const later = join(folder, 'later.gz')
  const appearing = { ...options, onProgress: () => writeFileSync(later, 'of somebody else') }
  await assert.rejects(backUp(source, later, appearing), { code: 'EEXIST', path: later })
  assert.equal(await readFile(later, 'utf8'), 'of somebody else')
  assert.deepEqual((await readdir(folder)).sort(), ['backup.gz', 'data', 'later.gz'])
  const replacing = await backUp(source, later, { ...appearing, replace: true })
  assert.deepEqual(await verifyBackup(later, options), replacing)
  assert.deepEqual(await verifyBackup(file, options), backup)
})

test('a backup removes what killed ones had written of its file, and nothing else', async t => {
  const { folder, source } = await backedUp(t)
  const gone = startProcess(t, '--eval', '')
  await gone.kill()
  const leftover = `later.gz.${gone.child.pid}-0123abcd.tmp`
  const others = [
    `later.gz.${process.ppid}-0123abcd.tmp`,
    `other.gz.${gone.child.pid}-0123abcd.tmp`,
    `later.gz.${gone.child.pid}.tmp`,
    'later.gz.tmp',
  ]
  for (const name of [leftover, ...others]) await writeFile(join(folder, name), 'half')
  await backUp(source, join(folder, 'later.gz'), options)
  assert.deepEqual((await readdir(folder)).sort(), ['backup.gz', 'data', 'later.gz', ...others].sort())
})
