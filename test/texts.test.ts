import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import ts from 'typescript'
import { ROOT } from './support/tracked-files.ts'

/*
 * The texts of the pages are in one catalogue, `web/src/texts`. The compiler checks that each name exists and that each
 * placeholder gets a value.
 */

const WEB = join(ROOT, 'web/src')
const ENGLISH = join(WEB, 'texts/en')

/** Sources of the pages without the catalogue. */
const PAGES = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter(file => /\.tsx?$/.test(file) && !file.startsWith('texts/'))
  .map(file => ({ file, code: readFileSync(join(WEB, file), 'utf8') }))

type Messages = { readonly [name: string]: string | Messages }

/** Every message with its names from the namespace down. */
function* messagesIn(messages: Messages, names: readonly string[]): Generator<[string[], string]> {
  for (const [name, message] of Object.entries(messages))
    if (typeof message === 'string') yield [[...names, name], message]
    else yield* messagesIn(message, [...names, name])
}

const MESSAGES = (
  await Promise.all(
    readdirSync(ENGLISH).map(async file => {
      const namespaces: Messages = await import(join(ENGLISH, file))
      return [...messagesIn(namespaces, [])]
    }),
  )
).flat()

test('every message is in the syntax of ICU', () => {
  for (const [names, message] of MESSAGES)
    assert.doesNotThrow(() => new IntlMessageFormat(message, 'en-GB'), names.join('.'))
})

test('every message is used', () => {
  const used = new Set<string>()
  for (const { code } of PAGES)
    for (const [, list = '', namespace] of code.matchAll(
      /^import \{([^}]*)\} from '[./]*\/texts\/en\/([\w-]+)\.ts'/gm,
    )) {
      assert.ok(namespace)
      for (const [, name, alias = name] of list.matchAll(/(\w+)(?: as (\w+))?/g))
        for (const [, path] of code.matchAll(new RegExp(`\\b${alias}((?:\\.\\w+)+)`, 'g')))
          used.add(`${name}${path}`)
    }
  // The name of a group stands for all in it.
  const isUsed = (names: readonly string[]) =>
    names.some((_, index) => used.has(names.slice(0, index + 1).join('.')))
  assert.deepEqual(
    MESSAGES.filter(([names]) => !isUsed(names)).map(([names]) => names.join('.')),
    [],
  )
})

/** Attributes and members whose values people read or hear. */
const READ = /^(aria-label|alt|title|placeholder|label|legend|what|submit|of|description|summary|detail)$/

/** Attributes with several words for machines. */
const UNREAD = /^(class|d|viewBox|content)$/

/** Strings with letters that are not texts: names, styles, and words of the API that a page compares. */
const NOT_TEXTS = [
  ...['GET', 'SHA-256', 'must be one of', 'No such path.'],
  ...['13px system-ui, sans-serif', 'map-island map-island-tiled'],
]

/** Programs to copy, which are the same in every language. */
const PROGRAMS = 'pages/api/try/request.ts'

const hasWord = (written: string) => /\p{L}{2}/u.test(written)
const hasPhrase = (written: string) => /\p{L}{2,} \p{L}/u.test(written)

/** Operators that give one of their operands. */
const CHOICES = [
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]

/** Whether the value of an expression becomes text on the page. */
function isShown({ parent }: ts.Node): boolean {
  if (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)) return READ.test(parent.name.getText())
  if (ts.isJsxExpression(parent)) return !ts.isJsxAttribute(parent.parent) || isShown(parent)
  const isPart =
    ts.isConditionalExpression(parent) ||
    ts.isTemplateExpression(parent) ||
    ts.isArrowFunction(parent) ||
    (ts.isBinaryExpression(parent) && CHOICES.includes(parent.operatorToken.kind))
  return isPart && isShown(parent)
}

/** Whether a string is for machines or, in an error, for developers. */
function isForMachines({ parent }: ts.Node): boolean {
  if (parent === undefined) return false
  if (ts.isJsxAttribute(parent)) return UNREAD.test(parent.name.getText())
  if (ts.isNewExpression(parent)) return parent.expression.getText().endsWith('Error')
  return isForMachines(parent)
}

/** The texts for people in a source. */
function textsIn(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && hasWord(node.text)) found.push(node.text.trim())
    if (
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) &&
      !node.text.startsWith('<') &&
      ((isShown(node) && hasWord(node.text)) || (hasPhrase(node.text) && !isForMachines(node)))
    )
      found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found.filter(written => !NOT_TEXTS.includes(written))
}

test('no text is written outside the catalogue', () => {
  const code = `
    const more = \`\${count} free spaces\`
    const page = { path: '/parking', title: () => isOld ? 'Parking' : page.title, sort: 'free' }
    const View = () => (
      <p class="free count" aria-label="Spaces">
        Free {isOld && 'before'} {state === 'old' && error(new Error('it is over'))}
      </p>
    )`
  assert.deepEqual(textsIn('view.tsx', code), [' free spaces', 'Parking', 'Spaces', 'Free', 'before'])
  const found = PAGES.filter(({ file }) => file !== PROGRAMS).flatMap(({ file, code }) =>
    textsIn(file, code).map(written => `${file}: ${written}`),
  )
  assert.deepEqual(found, [])
})
