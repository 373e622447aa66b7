import { parse } from '@formatjs/icu-messageformat-parser'
import ts from 'typescript'

const PARSER = '@formatjs/icu-messageformat-parser'

/** Parses the messages of the catalogue, so that no page has to load the parser. Messages without placeholders stay texts. */
export const messages = () => ({
  name: 'messages',
  enforce: 'pre',
  config: () => ({
    resolve: { alias: [{ find: new RegExp(`^${PARSER}$`), replacement: `${PARSER}/no-parser.js` }] },
  }),
  transform(code, id) {
    if (!/\/src\/texts\/en\/[\w-]+\.ts$/.test(id)) return undefined
    const source = ts.createSourceFile(id, code, ts.ScriptTarget.Latest, true)
    let parsed = ''
    let end = 0
    const visit = node => {
      if (ts.isStringLiteral(node) && ts.isPropertyAssignment(node.parent) && /[{<]/.test(node.text)) {
        parsed +=
          code.slice(end, node.getStart()) + JSON.stringify(parse(node.text, { captureLocation: false }))
        end = node.getEnd()
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    return { code: parsed + code.slice(end), map: null }
  },
})
