import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { emptyFolder } from '../../support/folder.ts'
import { pds } from '../../support/pds.ts'

test('--version prints the version of the package', async t => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  const { status, stdout, stderr } = await pds(await emptyFolder(t), ['--version'])
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

test('--help names every command and the exit statuses', async t => {
  const { status, stdout } = await pds(await emptyFolder(t), ['--help'])
  assert.equal(status, 0)
  for (const command of [
    'serve',
    'demo',
    'import',
    'releases',
    'rollback',
    'diff',
    'history',
    'export',
    'doctor',
  ])
    assert.match(stdout, new RegExp(`^ {2}${command} `, 'm'))
  assert.match(stdout, /Exit status: 0 done, 1 refused and nothing changed .*, 2 wrong usage/)
})

const WRONG: [words: string[], says: RegExp, environment?: Record<string, string>][] = [
  [[], /Usage: pds/],
  [['imprt'], /unknown command 'imprt'\n\(Did you mean import\?\)/],
  [['import', 'toilets'], /missing required argument 'file'/],
  [
    ['import', 'toilts', '-'],
    /^error: there is no dataset "toilts": did you mean toilets\? Datasets: vehicles, /,
  ],
  [['import', 'toilets', '-', '--reject-limit', '101%'], /--reject-limit .* '101%' is invalid. Allowed: /],
  [
    ['import', 'toilets', '-', '--map', 'P=parrish'],
    /unknown field "parrish": did you mean parish\? Fields: id/,
  ],
  [
    ['import', 'toilets', 's3://bob:s3cret@host/toilets.csv?key=s3cret'],
    /^error: s3:\/\/…@host\/… cannot be fetched: name a file, or an address with http:\/\/ or /,
  ],
  [
    ['import', 'live-spaces', 'https://host/history.csv'],
    /^error: https:\/\/host\/… is an address, which is not for live-spaces: fetch it and import the result\n$/,
  ],
  [
    ['import', 'toilets', 'toilets.csv', '--allow-private'],
    /^error: --allow-private is for addresses alone\n$/,
  ],
  [['rollback', 'toilets', '0'], /the number of a release, from 1/],
  [['export', 'toilets', '--release', 'x'], /the number of a release, from 1/],
  [['history', 'remov', '1'], /'remov' is invalid.* Allowed choices are remove/],
  [['history', 'remove'], /which batch\? `pds history` lists them/],
  [['history', 'remove', 'one'], /Allowed: the number of a batch, from 1/],
  [['history', '--dry-run'], /--dry-run is for `pds history remove <batch>`/],
  [['export', 'toilets', '--format', 'xml'], /Allowed choices are json, csv, ndjson, geojson/],
  [['export', 'vehicles', '--format', 'geojson'], /cannot be written as geojson: its records have no coord/],
  [['serve'], /^error: PORT is "eighty"; allowed: a whole number .*\n$/, { PORT: 'eighty' }],
]

test('wrong usage ends with 2 and one clear message, prints nothing and makes nothing', async t => {
  const folder = await emptyFolder(t)
  for (const [words, says, environment = {}] of WRONG)
    await t.test(`pds ${words.join(' ')}`, async () => {
      const { status, stdout, stderr } = await pds(folder, words, { environment })
      assert.match(stderr, says)
      assert.doesNotMatch(stderr, /\n {4}at /)
      assert.equal(status, 2)
      assert.equal(stdout, '')
    })
  assert.deepEqual(await readdir(folder), [])
})
