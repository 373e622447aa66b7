import { PROBLEMS, type ProblemCode } from '../../../../src/errors.ts'
import { problems } from '../../texts/en/problems.ts'
import { loadDocuments } from '../docs/document.ts'

/** A kind of problem. */
export interface Kind {
  readonly code: string
  readonly path: string
  readonly status: number
  readonly title: string
  readonly hint: string
}

export const KINDS: readonly Kind[] = (Object.keys(PROBLEMS) as ProblemCode[]).map(code => ({
  ...PROBLEMS[code],
  code,
  path: `/problems/${code.toLowerCase().replaceAll('_', '-')}`,
}))

/** The page of the documentation that explains them all. */
const REFERENCE = '/docs/reference/problems'

/** The documentation of a kind as HTML: its cause, what to do, and an example, each with a heading. */
export async function explanationOf({ code }: Kind): Promise<string> {
  const page = (await loadDocuments()).find(({ path }) => path === REFERENCE)
  const [, section = ''] = page?.html.split(`<h2 id="${code.toLowerCase()}">`) ?? []
  const [own = ''] = section.slice(section.indexOf('</h2>') + '</h2>'.length).split('<h2 ')
  const text = own
    .replace(/^\s*<p>Status \d+\.\s*/, '<p>')
    .replace(/\s*<strong>Do:<\/strong>\s*/, `</p><h2>${problems.whatToDo}</h2><p>`)
    .replace('<pre', `<h2>${problems.example}</h2><pre`)
  // Links within the reference have no path of their own.
  return text.replaceAll('href="#', `href="${REFERENCE}#`)
}
