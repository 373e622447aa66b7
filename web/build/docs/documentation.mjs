import { readPages } from './read.mjs'
import { renderPage } from './render.mjs'
import { searchIndex } from './search-index.mjs'

const PAGES = 'virtual:documentation'
const SEARCH = 'virtual:documentation-search'

/**
 * Gives the pages of docs/ to the explorer: `virtual:documentation` as HTML, for the service alone; `virtual:documentation-search`
 * what is searched, for the service and for browsers.
 */
export function documentation() {
  let made
  const make = () => {
    const pages = readPages()
    const known = new Map(pages.map(page => [page.file, page]))
    const rendered = pages.map(page => renderPage(page, known))
    return { rendered, index: searchIndex(pages, rendered) }
  }
  return {
    name: 'documentation',
    resolveId: id => (id === PAGES || id === SEARCH ? `\0${id}` : undefined),
    load(id) {
      if (id !== `\0${PAGES}` && id !== `\0${SEARCH}`) return undefined
      made ??= make()
      const json = JSON.stringify(id === `\0${PAGES}` ? made.rendered : made.index)
      // A string is parsed faster than the same as an expression.
      return `export const ${id === `\0${PAGES}` ? 'DOCUMENTS' : 'ENTRIES'} = JSON.parse(${JSON.stringify(json)})`
    },
  }
}
