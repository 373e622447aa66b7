import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { emptyFolder } from '../../support/folder.ts'
import { pds } from '../../support/pds.ts'

const recall = (id: number, title: string) => ({
  id,
  title,
  imageUrl: 'https://example.org/a.png',
  brand: 'Brand',
  recallDate: '2024-06-06T23:00:00.000Z',
  packSize: null,
  batchCodes: null,
  problem: 'Sharp edge',
  furtherInformation: '<p>Do not use it.</p>',
  websiteUrl: 'https://example.org/a',
})

async function publish(folder: string, ...records: object[]): Promise<void> {
  const ended = await pds(folder, ['import', 'product-recalls', '-'], { input: JSON.stringify(records) })
  assert.equal(ended.status, 0, ended.stdout + ended.stderr)
}

async function threeReleases(folder: string): Promise<void> {
  await publish(folder, recall(1, 'Lamp'))
  await publish(folder, recall(1, 'Lamp'), recall(2, 'Kettle'))
  await publish(folder, recall(1, 'Desk lamp'), recall(2, 'Kettle'))
}

const LINE =
  /^(\d+) {2}(current)? +(\d+) rows? +\d{4}-\d\d-\d\dT\S+Z {2}[0-9a-f]{12}… {2}(\+\d+ ~\d+ -\d+) {2}-$/

test('releases are listed newest first, a line each; rollback moves what is current', async t => {
  const folder = await emptyFolder(t)
  await threeReleases(folder)
  const listed = async () =>
    (await pds(folder, ['releases', 'product-recalls'])).stdout
      .trimEnd()
      .split('\n')
      .map(line => (LINE.exec(line) ?? [line]).slice(1))
  assert.deepEqual(await listed(), [
    ['3', 'current', '2', '+0 ~1 -0'],
    ['2', undefined, '2', '+1 ~0 -0'],
    ['1', undefined, '1', '+1 ~0 -0'],
  ])

  const back = await pds(folder, ['rollback', 'product-recalls'])
  assert.match(
    back.stdout,
    /^product-recalls: release 2 is current now \(2 rows, published \S+\); release 3 was\n$/,
  )
  assert.equal(back.status, 0)
  assert.deepEqual((await listed()).map(([number, current]) => [number, current])[1], ['2', 'current'])

  const forth = await pds(folder, ['rollback', 'product-recalls', '3', '--json'])
  const { dataset, from, current } = JSON.parse(forth.stdout)
  assert.deepEqual([dataset, from, current.number], ['product-recalls', 2, 3])
})

test('a rollback that changes nothing ends with 1 and says why', async t => {
  const folder = await emptyFolder(t)
  await publish(folder, recall(1, 'Lamp'))
  const none = await pds(folder, ['rollback', 'toilets'])
  assert.deepEqual([none.status, none.stderr], [1, 'error: toilets has no release to go back to\n'])
  const refusals: [string[], string][] = [
    [[], 'error: product-recalls has no release older than the current one, 1; kept: 1\n'],
    [['1'], 'error: release 1 of product-recalls is current already\n'],
    [['9'], 'error: no release 9 of product-recalls is kept; kept: 1\n'],
  ]
  for (const [words, says] of refusals) {
    const { status, stdout, stderr } = await pds(folder, ['rollback', 'product-recalls', ...words])
    assert.deepEqual({ status, stdout, stderr }, { status: 1, stdout: '', stderr: says })
  }
})

test('without a dataset the current release of each is listed, and "none"', async t => {
  const folder = await emptyFolder(t)
  await publish(folder, recall(1, 'Lamp'))
  const { status, stdout } = await pds(folder, ['releases'])
  assert.equal(status, 0)
  assert.match(stdout, /^product-recalls +1 {2}current {2}1 row {2}/m)
  assert.match(stdout, /^toilets +none$/m)
  assert.equal(stdout.trimEnd().split('\n').length, 6)

  const json = JSON.parse((await pds(folder, ['releases', '--json'])).stdout)
  assert.deepEqual(
    json.map((each: { dataset: string; current: unknown }) => [each.dataset, each.current !== null]),
    [
      ['vehicles', false],
      ['carparks', false],
      ['toilets', false],
      ['recycling', false],
      ['defibrillators', false],
      ['product-recalls', true],
    ],
  )
})

test('a dataset without releases lists nothing and says how to make one', async t => {
  const folder = await emptyFolder(t)
  await publish(folder, recall(1, 'Lamp'))
  const { status, stdout, stderr } = await pds(folder, ['releases', 'toilets'])
  assert.deepEqual([status, stdout], [0, ''])
  assert.match(stderr, /toilets has no release: `pds import toilets <file>` makes one/)
})

test('without a store read-only commands fail and do not create one', async t => {
  const folder = await emptyFolder(t)
  for (const words of [['releases'], ['rollback', 'toilets'], ['export', 'toilets']]) {
    const { status, stdout, stderr } = await pds(folder, words)
    assert.deepEqual([status, stdout], [1, ''], words[0])
    assert.match(
      stderr,
      /^error: there is no store in .*data: `pds import <dataset> <file>` or `pds demo` makes one\n$/,
    )
  }
  assert.deepEqual(await readdir(folder), [])
})
