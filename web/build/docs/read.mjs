import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DOCS = fileURLToPath(new URL('../../../docs', import.meta.url))
/** The kinds of pages, in the order in which readers need them. */
const SECTIONS = ['tutorial', 'how-to', 'reference', 'explanation', 'decisions']
/** The heading of the map below which the pages for operators are. */
const FOR_OPERATORS = '## Run the service'

/** Reads every Markdown page of docs/: those that the map links to in its order, the others after them by name. */
export function readPages() {
  const map = readFileSync(join(DOCS, 'README.md'), 'utf8')
  const operators = map.split(FOR_OPERATORS)[1]?.split('\n## ')[0] ?? ''
  const rank = file => (map.indexOf(`](${file}`) + map.length) % map.length
  const pages = SECTIONS.flatMap(section =>
    readdirSync(join(DOCS, section))
      .filter(name => name.endsWith('.md') && name !== 'README.md')
      .sort()
      .map(name => `${section}/${name}`)
      .sort((one, other) => rank(one) - rank(other))
      .map(file => ({
        ...{ file, section, path: `/docs/${file.replace(/\.md$/, '')}` },
        operators: operators.includes(`](${file}`),
        source: readFileSync(join(DOCS, file), 'utf8'),
      })),
  )
  return [{ file: 'README.md', section: '', path: '/docs', operators: false, source: map }, ...pages]
}
