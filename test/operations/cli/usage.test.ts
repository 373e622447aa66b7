import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { DATASETS } from '../../../src/datasets/index.ts'
import { ACCEPTABLE_CHECKS } from '../../../src/publishing/publish-checks.ts'
import { emptyFolder } from '../../support/folder.ts'
import { COMMAND, pds } from '../../support/pds.ts'
import { installedProgram } from '../../support/programs.ts'

test('--version prints the version of the package', async t => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  const { status, stdout, stderr } = await pds(await emptyFolder(t), ['--version'])
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

test('--help names every command and the exit statuses, and so does -h', async t => {
  const folder = await emptyFolder(t)
  const { status, stdout } = await pds(folder, ['--help'])
  assert.equal(status, 0)
  assert.equal((await pds(folder, ['-h'])).stdout, stdout)
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

test('the help of an import lists the datasets and the checks', async t => {
  const { stdout } = await pds(await emptyFolder(t), ['import', '-h'])
  for (const name of [...DATASETS.map(dataset => dataset.name), 'live-spaces', ...ACCEPTABLE_CHECKS])
    assert.ok(stdout.includes(`"${name}"`), name)
})

const BASH = `source ./bash
  for words in 'exp' 'export to' 'import toilets - --map A=b --accept emptied'; do
    COMP_WORDS=(pds $words) COMP_CWORD=$(wc -w <<<"$words")
    _pds && echo "$COMPREPLY"
  done`
const FISH =
  "source ./fish; for words in exp 'export to' 'import - --accept emptied'; complete -C \"pds $words\"; end"
const COMPLETED = /^export\b.*\ntoilets\b.*\nemptied-fields\b.*\n$/

for (const [shell, check, ask] of [
  ['bash', '-n', BASH],
  // It runs the script of bash, but completes only on a terminal.
  ['zsh', '-n'],
  ['fish', '--no-execute', FISH],
] as const) {
  const program = installedProgram(shell)
  const skip = program === undefined && `no ${shell} here`
  test(`${shell} takes its completions, of commands, datasets and values`, { skip }, async t => {
    const folder = await emptyFolder(t)
    await writeFile(join(folder, shell), (await pds(folder, ['completions', shell])).stdout)
    const run = (...words: string[]) =>
      spawnSync(program ?? '', words, {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder },
      })
    const { status, stderr } = run(check, shell)
    assert.deepEqual([status, stderr], [0, ''])
    if (ask !== undefined) assert.match(run('-c', ask).stdout, COMPLETED)
  })
}

const NO_SCRIPT = installedProgram('script') === undefined && 'no script here'

test('reports have colours on a terminal alone, unless the environment says otherwise', {
  skip: NO_SCRIPT,
}, async t => {
  const folder = await emptyFolder(t)
  const words = ['doctor']
  const environment = { PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'loud' }
  const plain = (await pds(folder, words, { environment })).stdout
  const forced = (await pds(folder, words, { environment: { ...environment, FORCE_COLOR: '1' } })).stdout
  for (const status of ['\u001b[31mfail\u001b[39m  LOG_LEVEL', '\u001b[32mok\u001b[39m    PORT'])
    assert.ok(forced.includes(`\n${status}`), status)
  assert.equal(stripVTControlCharacters(forced), plain)
  const onTerminal = (more: object) =>
    spawnSync(
      'script',
      ['-qec', [process.execPath, ...COMMAND, 'doctor'].map(word => `'${word}'`).join(' '), '/dev/null'],
      {
        ...{ cwd: folder, encoding: 'utf8' },
        env: { PATH: process.env.PATH, TERM: 'xterm', ...environment, ...more },
      },
    ).stdout.replaceAll('\r', '')
  assert.equal(onTerminal({}), forced)
  assert.equal(onTerminal({ NO_COLOR: '1' }), plain)
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
  [['completions', 'ksh'], /^error: .*'ksh' is invalid .* Allowed choices are bash, zsh, fish\.\n$/],
  [
    ['serve'],
    /^error: BASE_URL is "example\.org\/data"; allowed: an address that starts with http:.*\n$/,
    { BASE_URL: 'example.org/data' },
  ],
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
