import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
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

/** Texts of pages in English alone. */
const ENGLISH_ALONE = ['api', 'docs', 'problems']

/** Words that the service gives in English: they have no English message. */
const MEANINGS = 'meanings'

const TEXTS = join(WEB, 'texts')
const TRANSLATIONS = readdirSync(TEXTS)
  .filter(name => name.endsWith('.json'))
  .map(name => {
    const texts = JSON.parse(readFileSync(join(TEXTS, name), 'utf8'))
    return { code: name.slice(0, -'.json'.length), locale: texts.language.locale, texts }
  })

/** The placeholders and tags of a message, and the numbers that it has no words for in a language. */
function partsOf(message: string, locale: string) {
  const names = new Set<string>()
  const wordless: string[] = []
  const rules = new Intl.PluralRules(locale)
  const visit = (elements: readonly MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue
      names.add(element.type === TYPE.tag ? `<${element.value}>` : element.value)
      if (element.type === TYPE.tag) visit(element.children)
      if (element.type !== TYPE.select && element.type !== TYPE.plural) continue
      for (const { value } of Object.values(element.options)) visit(value)
      if (element.type === TYPE.plural && 'one' in element.options)
        for (let number = 0; number < 120; number++)
          if (!(`=${number}` in element.options) && !(rules.select(number) in element.options))
            wordless.push(`${element.value} ${number}`)
    }
  }
  visit(parse(message))
  return { names: [...names].sort(), wordless }
}

test('every translation has the messages of English, with the same placeholders and the plurals of its language', () => {
  assert.ok(TRANSLATIONS.length >= 3)
  const english = new Map(
    MESSAGES.filter(([[namespace = '']]) => !ENGLISH_ALONE.includes(namespace)).map(([names, message]) => [
      names.join('.'),
      message,
    ]),
  )
  for (const { code, locale, texts } of TRANSLATIONS) {
    const { [MEANINGS]: _, ...messages } = texts
    const translated = new Map(
      [...messagesIn(messages, [])].map(([names, message]) => [names.join('.'), message]),
    )
    assert.deepEqual([...translated.keys()].sort(), [...english.keys()].sort(), code)
    for (const [name, message] of translated) {
      const { names, wordless } = partsOf(message, locale)
      assert.deepEqual(names, partsOf(english.get(name) ?? '', 'en').names, `${code}: ${name}`)
      assert.deepEqual(wordless, [], `${code}: ${name}`)
      assert.equal(message.trim() === '', name === 'language.checkedBy' && message === '', `${code}: ${name}`)
    }
    assert.equal(messages.language.code, code)
  }
})

test('every word that a translation has for the service is one that the service gives', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => readFileSync(join(ROOT, 'src', file), 'utf8').replaceAll("\\'", "'"))
    .join('')
  const known = sources.replaceAll(/\$\{[^}]*\}/g, '#')
  const [first] = TRANSLATIONS
  for (const { code, texts } of TRANSLATIONS) {
    assert.deepEqual(Object.keys(texts[MEANINGS]), Object.keys(first?.texts[MEANINGS]), code)
    for (const english of Object.keys(texts[MEANINGS]))
      assert.ok(sources.includes(english) || known.includes(english.replaceAll(/\d+/g, '#')), english)
  }
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
const NOT_TEXTS = [...['GET', 'SHA-256', 'must be one of', 'No such path.']]

/** Programs to copy, which are the same in every language. */
const PROGRAMS = 'pages/api/try/request-examples.tsx'

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
