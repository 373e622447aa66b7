import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from '@formatjs/icu-messageformat-parser'
import ts from 'typescript'

const PARSER = '@formatjs/icu-messageformat-parser'

const TEXTS = fileURLToPath(new URL('../src/texts', import.meta.url))

/** The catalogues of the languages besides English, by code: `texts/pt.json`. */
export const catalogues = () =>
  readdirSync(TEXTS)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => ({
      code: name.slice(0, -'.json'.length),
      texts: JSON.parse(readFileSync(`${TEXTS}/${name}`, 'utf8')),
    }))

/** The names that lead to a part of the English catalogue: `['parking', 'title']`. */
function namesOf(node) {
  const { parent } = node
  if (parent === undefined) return []
  if (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent))
    return [...namesOf(parent), parent.name.text]
  return ts.isArrayLiteralExpression(parent)
    ? [...namesOf(parent), parent.elements.indexOf(node)]
    : namesOf(parent)
}

/** Parses a message, unless it is a text without placeholders. Throws an error that names it. */
function parsed(message, names) {
  try {
    return /[{<]/.test(message) ? parse(message, { captureLocation: false }) : message
  } catch (cause) {
    throw new Error(`${names.join('.')} is no message of ICU (${cause.message}): ${message}`, { cause })
  }
}

/**
 * Puts the messages of a language in the place of the English ones, where it has them. Parses the messages, so that no page has to
 * load the parser. Messages without placeholders stay texts.
 */
export const messages = translation => ({
  name: 'messages',
  enforce: 'pre',
  config: () => ({
    resolve: { alias: [{ find: new RegExp(`^${PARSER}$`), replacement: `${PARSER}/no-parser.js` }] },
  }),
  transform(code, id) {
    if (!/\/src\/texts\/en\/[\w-]+\.ts$/.test(id)) return undefined
    const source = ts.createSourceFile(id, code, ts.ScriptTarget.Latest, true)
    let made = ''
    let end = 0
    const write = (node, value) => {
      made += code.slice(end, node.getStart()) + JSON.stringify(value)
      end = node.getEnd()
    }
    const visit = node => {
      const isMessage = ts.isStringLiteral(node) && node.parent.name !== node
      // An empty group has words that English does not need.
      const isEmpty = ts.isObjectLiteralExpression(node) && node.properties.length === 0
      if (!isMessage && !isEmpty) return ts.forEachChild(node, visit)
      const names = namesOf(node)
      const own = names.reduce((texts, name) => texts?.[name], translation)
      if (isMessage) write(node, parsed(own ?? node.text, names))
      else write(node, own ?? {})
    }
    visit(source)
    return { code: made + code.slice(end), map: null }
  },
})
