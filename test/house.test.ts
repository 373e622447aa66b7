import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/* House rules that no linter checks; the directions of imports are in `.dependency-cruiser.mjs`. */

const SRC = fileURLToPath(new URL('../src', import.meta.url))

const SOURCES = ['.', '../demo']
  .flatMap(folder =>
    readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
  )
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))

const WEB = readdirSync(join(SRC, '../web/src'), { recursive: true, encoding: 'utf8' })
  .filter(file => /\.(tsx?|css)$/.test(file))
  .map(file => join('../web/src', file))

const text = (file: string) => readFileSync(join(SRC, file), 'utf8')

test('no folder holds more than 24 sources', () => {
  const folders = new Map<string, number>()
  for (const file of [...SOURCES, ...WEB]) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
  const full = [...folders].filter(([, count]) => count > 24)
  assert.deepEqual(full, [])
})

test('no two exported types have the same name', () => {
  const files = new Map<string, string[]>()
  for (const file of SOURCES)
    for (const [, name = ''] of text(file).matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm))
      files.set(name, [...(files.get(name) ?? []), file])
  const twice = [...files].filter(([, its]) => its.length > 1)
  assert.deepEqual(twice, [])
})

/** Whether an expression is a literal object, or may have one as its value. */
function isLiteralObject(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isLiteralObject(node.expression)
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].some(isLiteralObject)
  if (ts.isBinaryExpression(node)) return [node.left, node.right].some(isLiteralObject)
  return ts.isObjectLiteralExpression(node)
}

/** The lines of a text on which a literal object is spread into an object. */
function spreadLiterals(text: string): number[] {
  const source = ts.createSourceFile('', text, ts.ScriptTarget.Latest, true)
  const lines: number[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isSpreadAssignment(node) && isLiteralObject(node.expression))
      lines.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines
}

const ROOT = join(SRC, '..')

test('no literal object is spread into another', () => {
  const cases = [
    'f({ ...a, ...b(), ...(await c), ...(d ?? e), ...[{ g }] })',
    'f({ ...{ a } })',
    'f({ ...(a && { b }) })',
    'f({ ...(a ? {} : b) })',
    'f([...(a ? [{ b }] : [])])',
  ]
  assert.deepEqual(spreadLiterals(cases.join('\n')), [2, 3, 4])
  const found = ['src', 'demo']
    .flatMap(folder =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
    )
    .filter(file => file.endsWith('.ts'))
    .flatMap(file => spreadLiterals(readFileSync(join(ROOT, file), 'utf8')).map(line => `${file}:${line}`))
  assert.deepEqual(found, [])
})

test('editors indent and wrap lines as biome does', () => {
  const { indentStyle, indentWidth, lineWidth } = JSON.parse(text('../biome.json')).formatter
  const lines = text('../.editorconfig').split('\n')
  for (const line of [
    `indent_style = ${indentStyle}`,
    `indent_size = ${indentWidth}`,
    `max_line_length = ${lineWidth}`,
  ])
    assert.ok(lines.includes(line), line)
})

test('only config.ts reads the environment, and main.ts hands it on', () => {
  const readers = SOURCES.filter(file => /\bprocess\.env\b|\bimport\.meta\.env\b/.test(text(file)))
  assert.deepEqual(readers, ['config.ts', 'main.ts'])
})

test('only one file names the island: another takes its place at run time', () => {
  const island = JSON.parse(text('island/default.json'))
  const spelt = island.parishes.flatMap(
    ({ name, alsoSpelt = [] }: { name: string; alsoSpelt?: string[] }) => [name, ...alsoSpelt],
  )
  const facts = [island.name, island.timeZone, ...Object.values(island.bounds), ...spelt].map(String)
  const plain = (words: string) => words.toLowerCase().replaceAll('.', '')
  const spacious = new RegExp(
    `(?<![\\w-])(${facts.map(fact => plain(fact).replaceAll(' ', '\\s+')).join('|')})(?!\\w)`,
  )
  const namesIt = (code: string) =>
    spacious.test(plain(code).replace(/firstregisteredinjerseyat|reginjersey/g, ''))
  assert.ok(['in Jersey', 'St Helier', "'St. Mary'", 'Europe/Jersey', '48.9'].every(namesIt))
  const readmes = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.md'))
  const naming = [...SOURCES.filter(file => !file.startsWith('../demo')), ...WEB, ...readmes].filter(file =>
    namesIt(text(file)),
  )
  assert.deepEqual(naming, [])
})

/** What makes a link without `to`, `absolute` or `addressOf`: it would leave the path of BASE_URL. */
const LITERAL_LINKS = [
  /\b(?:href|src|action|url|id|start_url|scope|location)(?:=\{?|: | = )["'`]\/(?!\/)/,
  /\b(?:fetch|send|URL|EventSource|register|location\.\w+|cache\.\w+|getJson)\(["'`[]*\/(?!\/)/,
  // A base address with something after it.
  /\bbase(?:Url)?(?:\(\))? \+ |\$\{(?:\w+\.)*base(?:Url)?(?:\(\))?\}/,
]

const hasLiteralLink = (code: string) => LITERAL_LINKS.some(pattern => pattern.test(code))

test('one function makes every link: none begins with a literal slash', () => {
  const links = [
    ...['<a href="/map">', "<a href={'/map'}>", '<form action={`/map`}>', "{ src: '/icon.svg' }"],
    ...[
      "fetch('/v1/toilets')",
      'location.assign(`/parking`)',
      "cache.addAll(['/offline'])",
      "new URL('/v1', x)",
    ],
    ...['baseUrl() + path', `\`\${site.baseUrl}/v1/toilets\``],
  ]
  assert.deepEqual(links.filter(hasLiteralLink), links)
  const lines = [...WEB, ...SOURCES.filter(file => file.startsWith('interfaces/'))]
    .filter(file => !file.endsWith('.css'))
    .flatMap(file =>
      text(file)
        .split('\n')
        .map((line, at) => ({ line, where: `${file}:${at + 1}` })),
    )
  assert.deepEqual(
    lines.filter(({ line }) => hasLiteralLink(line)).map(({ where, line }) => `${where} ${line.trim()}`),
    [],
  )
})
