import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { test } from 'node:test'
import { withSettings } from '../scripts/settings-reference.ts'
import { readConfig, SETTINGS } from '../src/config.ts'
import { DATASETS } from '../src/datasets/index.ts'
import { PROBLEMS } from '../src/errors.ts'
import { NOTIFICATIONS } from '../src/notifications/notification.ts'
import { ACCEPTABLE_CHECKS } from '../src/publishing/publish-checks.ts'
import { REJECTED_ROWS } from '../src/releases/import/checks/limits.ts'
import { importDataset } from '../src/releases/import/import.ts'
import { emptyFolder } from './support/folder.ts'
import { codeRows, codes, pages, read, rowNames, sections, sorted } from './support/markdown.ts'
import { build, temporaryStore } from './support/service.ts'
import { ROOT } from './support/tracked-files.ts'

/*
 * Holds the documentation to the code: what exists is documented, what is documented exists. Structure and names are
 * compared, never wording. Datasets, formats and filters are compared in `additions.test.ts`.
 */

test('problems.md has every problem as the registry has it, and no other', () => {
  const documented = sections(read('docs/reference/problems.md'), '##')
  assert.deepEqual([...documented.keys()], Object.keys(PROBLEMS))
  for (const [code, { status, title, hint }] of Object.entries(PROBLEMS)) {
    const section = documented.get(code) ?? ''
    assert.match(section, new RegExp(`^\\s*Status ${status}\\.`), code)
    const [, json = ''] = /```json\n([\s\S]*?)\n```/.exec(section) ?? []
    const example = JSON.parse(json)
    assert.deepEqual([example.code, example.status, example.title, example.hint], [code, status, title, hint])
  }
})

test('configuration.md has every variable as the settings have it', () => {
  const page = read('docs/reference/configuration.md')
  assert.equal(page, withSettings(page), 'npm run generate writes it')
})

test('.env.example has every variable once, switched off, with its default or an example that is allowed', () => {
  const lines = read('.env.example').split('\n')
  const settings = lines.flatMap(line => {
    const [, name, value] = /^#([A-Z_]+)=(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  assert.deepEqual(settings.map(([name]) => name).sort(), Object.keys(SETTINGS).sort())
  assert.ok(lines.every(line => line === '' || line.startsWith('#')))
  assert.deepEqual(Object.keys(readConfig(Object.fromEntries(settings))), Object.keys(SETTINGS))
  for (const [name, value] of settings) {
    const byDefault = String(SETTINGS[name as keyof typeof SETTINGS].default ?? '')
    if (byDefault !== '') assert.equal(value, byDefault, name)
  }
})

test('monitor.md has every metric of the service, and names no other', async t => {
  const { metrics } = await build(t)
  const actual = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name)
  const text = read('docs/how-to/monitor.md')
  const documented = codeRows(text)
    .map(([name]) => codes(name)[0] ?? '')
    .filter(name => name.startsWith('pds_'))
  assert.deepEqual(sorted(documented), sorted(actual.filter(name => name.startsWith('pds_'))))
  const mentioned = [...text.matchAll(/\b(?:pds|process|nodejs)_\w+/g)].map(([name]) =>
    name.replace(/_bucket$/, ''),
  )
  assert.deepEqual(
    mentioned.filter(name => !actual.includes(name)),
    [],
  )
})

test('formats.md has every parameter that operations share; every page of the reference is there', async t => {
  const { app } = await build(t, {}, { environment: { SECURITY_CONTACT: 'mailto:security@data.example' } })
  const { components } = app.document() as { components: { parameters: object } }
  const shared = rowNames(sections(read('docs/reference/formats.md'), '##').get('Parameters'))
  assert.deepEqual(shared, ['format', ...Object.keys(components.parameters)])
  const reference = pages().filter(page => page.startsWith('docs/reference/'))
  const addresses = reference.flatMap(page => rowNames(sections(read(page), '##').get('Pages')))
  for (const address of addresses) {
    const url = address.replace('…', 'not-found')
    assert.notEqual((await app.inject({ url })).statusCode, 404, url)
  }
})

/** What `pds` prints for each of these lists of words; one process for all, since each start takes a second. */
async function printed(folder: string, calls: readonly (readonly string[])[]): Promise<string[]> {
  const program = join(ROOT, 'src/cli/program.ts')
  const script = `
    const { runPds } = await import(${JSON.stringify(program)})
    for (const words of ${JSON.stringify(calls)}) {
      await runPds(words, {})
      process.stdout.write('\\f')
    }`
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('./support/typescript.mjs'), '--input-type=module', '-e', script],
    { cwd: folder },
  )
  return (await readAll(child.stdout)).split('\f').slice(0, -1)
}

test('notifications.md has every type with its members, and no other', () => {
  const documented = sections(read('docs/reference/notifications.md'), '##')
  const types = NOTIFICATIONS.map(({ properties }) => [
    properties.type.const,
    Object.keys(properties.data.properties),
  ])
  assert.deepEqual(
    [...documented].map(([type, section]) => [type, codeRows(section).map(([name]) => codes(name)[0])]),
    types,
  )
})

test('the reference has every command with its options, and no other', async t => {
  const folder = await emptyFolder(t)
  const [overview = ''] = await printed(folder, [['--help']])
  const listed = overview.split('Commands:\n')[1]?.split('\n\n')[0] ?? ''
  const commands = [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(match => match[1] ?? '')
  const texts = pages().filter(page => page.startsWith('docs/reference/'))
  const all = [...sections(texts.map(read).join('\n'), '##')]
  const documented = new Map(all.filter(([heading]) => heading.startsWith('pds ')))
  assert.deepEqual(sorted(documented.keys()), sorted(commands.map(name => `pds ${name}`)))
  const helps = await printed(
    folder,
    commands.map(name => [name, '--help']),
  )
  for (const [index, name] of commands.entries()) {
    const options = helps[index]?.split('Options:\n')[1] ?? ''
    const actual = [...options.matchAll(/^ {2}(--[a-z-]+)/gm)].map(match => match[1] ?? '')
    const rows = codeRows(documented.get(`pds ${name}`) ?? '').filter(([cell]) => cell?.startsWith('`--'))
    const described = rows.map(([cell]) => /--[a-z-]+/.exec(cell ?? '')?.[0] ?? '')
    assert.deepEqual(sorted(described), sorted(actual.filter(option => option !== '--help')), name)
  }
})

test('pds-import.md has every field of the import report, and no other', async t => {
  const [dataset = assert.fail()] = DATASETS
  const report = await importDataset({
    store: await temporaryStore(t),
    dataset,
    source: 'nothing',
    input: Readable.from([]),
  })
  const section = sections(read('docs/reference/pds-import.md'), '##').get('pds import') ?? ''
  const documented = codeRows(section)
    .filter(([cell]) => !cell?.startsWith('`--'))
    .flatMap(([cell]) => codes(cell))
  assert.deepEqual(sorted(documented), sorted(Object.keys(report)))
})

test('release-checks.md has every check, and no other', () => {
  const documented = codeRows(read('docs/reference/release-checks.md')).flatMap(([cell]) => codes(cell))
  assert.deepEqual(sorted(documented), sorted([REJECTED_ROWS, ...ACCEPTABLE_CHECKS]))
})

test('licences.md has every package that is installed for run time, with its version and licence', () => {
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>
  }
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, optional }]) => path !== '' && !dev && !(optional && !existsSync(join(ROOT, path))),
  )
  const actual = installed.map(([path]) => {
    const { name, version, license } = JSON.parse(read(join(path, 'package.json')))
    return `${name}@${version} ${license}`
  })
  const text = read('docs/reference/licences.md')
  const documented = [...sections(text, '###')].flatMap(([licence, list]) =>
    codes(list).map(name => `${name} ${licence}`),
  )
  assert.deepEqual(sorted(documented), sorted(actual))
  const direct = codeRows(text).map(([name]) => codes(name)[0] ?? '')
  assert.deepEqual(direct, Object.keys(JSON.parse(read('package.json')).dependencies))
})

/** The anchors of a page: its headings as GitHub makes them. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('every relative link has an existing target', () => {
  const broken = pages().flatMap(page => {
    const prose = read(page).replace(/```[\s\S]*?```/g, '')
    const links = [...prose.matchAll(/\]\((?![a-z]+:)([^)\s]*)\)/g)].map(match => match[1] ?? '')
    return links
      .filter(link => {
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path))
        if (!existsSync(join(ROOT, target))) return true
        return (
          anchor !== undefined &&
          statSync(join(ROOT, target)).isFile() &&
          !anchors(read(target)).includes(anchor)
        )
      })
      .map(link => `${page}: ${link}`)
  })
  assert.deepEqual(broken, [])
})

test('every page of docs is linked from the map or from the list of decisions, and is short', () => {
  const linked = ['docs/README.md', 'docs/decisions/README.md'].flatMap(map =>
    [...read(map).matchAll(/\]\(([^)#]+\.md)\)/g)].map(match => join(dirname(map), match[1] ?? '')),
  )
  const all = pages().filter(page => page.startsWith('docs'))
  assert.deepEqual(
    all.filter(page => page !== 'docs/README.md' && !linked.includes(page)),
    [],
  )
  // Lists of entries, of which readers see one; some have an entry for each dataset.
  const names = ['problems', 'configuration', 'datasets', 'places', 'counts', 'changes']
  const lists = names.map(name => `docs/reference/${name}.md`)
  assert.deepEqual(
    all.filter(page => !lists.includes(page) && read(page).split('\n').length > 150),
    [],
  )
})

/** Pages beside the code, which name files relative to themselves. */
const IN_CODE = /^(src|demo)\//

test('every file that a page names by its path in the repository exists', () => {
  const missing = pages()
    .filter(page => !IN_CODE.test(page) && page !== 'CONTRIBUTING.md')
    .flatMap(page =>
      codes(read(page))
        .filter(name => /^(src|demo|test|web|client|mcp|bench|deploy|docs)\/[\w./-]+$/.test(name))
        .filter(name => !existsSync(join(ROOT, name)))
        .map(name => `${page}: ${name}`),
    )
  assert.deepEqual(missing, [])
})

test('every file named in a README of src or demo exists', () => {
  const missing = pages()
    .filter(page => IN_CODE.test(page))
    .flatMap(page => {
      const files = codes(read(page)).filter(name => /^[\w./-]+(\.ts|\/)$/.test(name))
      return files
        .filter(name => !existsSync(join(ROOT, dirname(page), name)))
        .map(name => `${page}: ${name}`)
    })
  assert.deepEqual(missing, [])
})
