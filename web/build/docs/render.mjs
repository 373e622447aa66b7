import { posix } from 'node:path'
import { Marked } from 'marked'

const escaped = text =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = heading =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** Text without its marks. */
const plain = markdown =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Indents JSON. Other text, such as JSON with an ellipsis, stays. */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** The address of a link: the page of the documentation, or undefined for a file of the repository, which a service does not have. */
function addressOf(href, { file }, known) {
  if (/^[a-z]+:/.test(href)) return href
  const [path, anchor] = href.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (path === '') return hash
  const target = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '')
  if (target === 'decisions' || target === 'decisions/README.md') return `/docs/decisions${hash}`
  const page = known.get(target)
  return page === undefined ? undefined : page.path + hash
}

/** Renders a page: its title, what it says in a sentence, its headings, and the HTML below its title. */
export function renderPage(page, known) {
  const headings = []
  const marked = new Marked({
    renderer: {
      heading({ text, tokens, depth }) {
        if (depth === 1) return ''
        const id = anchorOf(plain(text))
        headings.push({ id, text: plain(text), depth })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)} <a class="anchor" href="#${id}" aria-label="Link to: ${escaped(plain(text))}">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const address = addressOf(href, page, known)
        const text = this.parser.parseInline(tokens)
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`
      },
      code({ text, lang }) {
        const language = lang ? ` class="language-${escaped(lang)}"` : ''
        return `<pre tabindex="0"><code${language}>${escaped(lang === 'json' ? indented(text) : text)}\n</code></pre>\n`
      },
      table(token) {
        const row = (cells, name) =>
          `<tr>${cells.map(cell => `<${name}${cell.align === 'right' ? ' class="number"' : ''}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('')}</tr>`
        const isNamed = token.header.some(({ text }) => text !== '')
        const head = isNamed ? `<thead>${row(token.header, 'th')}</thead>` : ''
        const label = escaped(plain(headings.at(-1)?.text ?? 'Table'))
        return `<div class="scrolling" role="group" tabindex="0" aria-label="${label}, table"><table>${head}<tbody>${token.rows.map(cells => row(cells, 'td')).join('')}</tbody></table></div>\n`
      },
      html: ({ text }) => escaped(text),
    },
  })
  const html = marked.parse(page.source)
  const title = plain(/^# (.+)$/m.exec(page.source)?.[1] ?? page.file)
  const paragraph = page.source.split(/\n\n+/).find(part => /^[A-Za-z`*[]/.test(part)) ?? title
  const [sentence] = /^.*?[.:](?=\s|$)/.exec(plain(paragraph)) ?? [plain(paragraph)]
  const summary = sentence.replace(/:$/, '.')
  return { path: page.path, section: page.section, operators: page.operators, title, summary, headings, html }
}
