import { renderPage } from './render.mjs'
import { OPTIONS, searchIndex } from './search-index.mjs'

/**
 * Gives the pages of docs/ to the explorer: `virtual:documentation` as HTML, for the service alone; `virtual:documentation-search`
 * the index that is searched, for the service and for browsers.
 */
export function documentation(readPages) {
  let made
  const make = () => {
    const pages = readPages()
    const known = new Map(pages.map(page => [page.file, page]))
    const rendered = pages.map(page => renderPage(page, known))
    return { rendered, index: searchIndex(pages, rendered) }
  }
  // A string is parsed faster than the same as an expression.
  const modules = {
    'virtual:documentation': ({ rendered }) =>
      `export const DOCUMENTS = JSON.parse(${JSON.stringify(JSON.stringify(rendered))})`,
    'virtual:documentation-search': ({ index }) =>
      `export const INDEX = ${JSON.stringify(index)}; export const OPTIONS = ${JSON.stringify(OPTIONS)}`,
  }
  return {
    name: 'documentation',
    resolveId: id => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load(id) {
      const write = id.startsWith('\0') ? modules[id.slice(1)] : undefined
      if (write === undefined) return undefined
      made ??= make()
      return write(made)
    },
  }
}
