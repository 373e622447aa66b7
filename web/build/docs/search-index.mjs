import { anchorOf } from './render.mjs'

/** Words that say nothing of what a text is about. */
const COMMON = new Set(
  'the and for that with from this are not its has have its each all one can they which where what when who was than then them their there into only also but any how you your does out may more most other others these those will would should without within between after before over under about'.split(
    ' ',
  ),
)

const wordsOf = text => [
  ...new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []).filter(
      word => word.length > 2 && word.length < 40 && !COMMON.has(word) && !/^\d+$/.test(word),
    ),
  ),
]

/** What is searched: an entry for each part of each page, with its words. */
export function searchIndex(pages, rendered) {
  return pages.flatMap(({ path, source, section }, index) => {
    const { title, summary } = rendered[index]
    if (path === '/docs') return []
    const [top, ...parts] = source.replace(/^# .+$/m, '').split(/^## /m)
    const entry = (heading, text) => ({
      ...{
        path: heading === '' ? path : `${path}#${anchorOf(heading.replace(/[`*]/g, ''))}`,
        section,
        title,
      },
      ...{ heading: heading.replace(/[`*]/g, ''), summary: heading === '' ? summary : '' },
      words: wordsOf(text.replace(/\]\([^)]*\)/g, ' ')).join(' '),
    })
    return [
      entry('', top),
      ...parts.map(part => entry(part.split('\n', 1)[0].trim(), part.slice(part.indexOf('\n')))),
    ]
  })
}
