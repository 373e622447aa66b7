import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import type { checkSync as Check } from 'recheck'
import ts from 'typescript'
import { DATASETS } from '../../src/datasets/index.ts'

// The variant in JavaScript alone: the others start a program for the machine at hand, and may answer otherwise.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as { checkSync: typeof Check }

const FOLDERS = ['src', 'demo', 'deploy', 'bin']
/** Files with a call that may build an expression of text while it runs, and why these need no check. */
const BUILDING = {
  'src/http/pipeline.ts': 'the match of the router, which takes a path',
  'src/releases/import/coerce/values.ts': 'built from the patterns of datasets, which are checked below',
  'src/sources/fetch/open-address.ts': 'the match of an address, which takes a range',
}
/** Methods of strings that make an expression of a text. */
const OF_TEXT = ['match', 'matchAll', 'search']
const SCRIPT = /\.(ts|m?js)$|^pds$/

interface Expression {
  readonly at: string
  readonly source: string
  readonly flags: string
}

/** Whether a node makes a regular expression, or may, of a text that is known only while it runs. */
function isBuilding(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false
  const { expression, arguments: [pattern] = [] } = node
  if (expression.getText() === 'RegExp') return true
  if (!ts.isPropertyAccessExpression(expression) || !OF_TEXT.includes(expression.name.text)) return false
  return pattern !== undefined && !ts.isRegularExpressionLiteral(pattern)
}

/** The regular expressions of the source, each once; and the files that build some while they run. */
function expressionsOf(folders: readonly string[]): { expressions: Expression[]; building: string[] } {
  const found = new Map<string, Expression>()
  const building = new Set<string>()
  for (const name of folders.flatMap(filesOf)) {
    if (!SCRIPT.test(basename(name)) || name.endsWith('.test.ts')) continue
    const text = readFileSync(name, 'utf8')
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart())
        const end = node.text.lastIndexOf('/')
        const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)]
        found.set(node.text, { at: `${name}:${line + 1}`, source, flags })
      } else if (isBuilding(node)) building.add(name)
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return { expressions: [...found.values()], building: [...building] }
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name))

/** The regular expressions in the configuration of nginx, to which it gives headers of up to 8 KB. */
function expressionsOfNginx(): Expression[] {
  const file = 'deploy/nginx/nginx.conf'
  const found = readFileSync(file, 'utf8').matchAll(/'~(\*?)([^']+)'|location\s+~(\*?)\s+(\S+)/g)
  return [...found].map(([, star = '', source = '', starOfLocation = '', location = '']) => ({
    at: file,
    source: source || location,
    flags: star || starOfLocation ? 'i' : '',
  }))
}

/** The patterns in a dataset's JSON schema. */
function patternsOf(schema: unknown, at: string): Expression[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string'
      ? [{ at, source: value, flags: 'u' }]
      : patternsOf(value, `${at}.${key}`),
  )
}

/** No limits of time, so that a busy machine gives the same answers; those of steps stay. */
const UNTIMED = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null }

/** Why the time of an expression is not linear in the length of the text; undefined if it is. */
function fault({ at, source, flags }: Expression): string | undefined {
  const found = checkSync(source, flags, UNTIMED)
  if (found.status === 'safe') return undefined
  const why =
    found.status === 'unknown'
      ? found.error.kind
      : `${found.complexity.summary}, as ${found.attack.pattern} shows`
  return `${at}: /${source}/${flags} is ${found.status}: ${why}`
}

test('the check finds expressions whose time is not linear', () => {
  for (const source of ['^(a+)+$', '\\s+$', '^\\d+\\.?\\d*x$'])
    assert.match(
      fault({ at: 'here', source, flags: '' }) ?? '',
      /is vulnerable: .*(?:polynomial|exponential)/,
    )
})

test('every regular expression takes time linear in the length of its text', t => {
  const { expressions, building } = expressionsOf(FOLDERS)
  assert.deepEqual(
    building.sort(),
    Object.keys(BUILDING),
    'files that build regular expressions while they run',
  )
  const ofNginx = expressionsOfNginx()
  assert.equal(ofNginx.length, 7)
  const patterns = DATASETS.flatMap(({ name, record }) => patternsOf(record, name))
  assert.ok(expressions.length > 100 && patterns.length > 0, `${expressions.length}, ${patterns.length}`)
  const faults = [...expressions, ...ofNginx, ...patterns].flatMap(expression => fault(expression) ?? [])
  assert.deepEqual(faults, [])
  t.diagnostic(`${expressions.length} expressions, ${ofNginx.length} of nginx, ${patterns.length} patterns`)
})
