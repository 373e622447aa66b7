import MiniSearch from 'minisearch'
import { anchorOf } from './render.mjs'

/** How the index is made, and how it is read again. */
export const OPTIONS = {
  idField: 'path',
  fields: ['title', 'name', 'text'],
  storeFields: ['path', 'section', 'title', 'heading', 'summary'],
}

/** Creates the index of the search, with an entry for each section of each page. */
export function searchIndex(pages, rendered) {
  const index = new MiniSearch(OPTIONS)
  for (const [at, { path, source, section }] of pages.entries()) {
    if (path === '/docs') continue
    const { title, summary } = rendered[at]
    const add = (part, heading) => {
      const text = part.replaceAll(/\]\([^)]*\)/g, ' ')
      const about =
        heading === ''
          ? { path, name: title, summary }
          : { path: `${path}#${anchorOf(heading)}`, name: heading, summary: '' }
      index.add({ ...about, section, title, heading, text })
    }
    const [top, ...parts] = source.replace(/^# .+$/m, '').split(/^## /m)
    add(top, '')
    for (const part of parts)
      add(part.slice(part.indexOf('\n')), part.split('\n', 1)[0].trim().replaceAll(/[`*]/g, ''))
  }
  return JSON.stringify(index)
}
