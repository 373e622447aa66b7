import type { CallToolResult } from '@modelcontextprotocol/server'
import { PROBLEMS, type Problem } from '../../errors.ts'
import type { CatalogueEntry } from '../catalogue/entry.ts'
import { pick, type ToolFindings } from './tool.ts'

/** The most bytes of an answer's text: with a longer one, a model may lose its thread. */
const MAX_BYTES = 20_000

const SYNTHETIC =
  'This data is invented: it is not about any real place, vehicle or product. Say so to the user.'

const NARROW = 'Narrow the question with more arguments, or ask the addresses under `about` for the rest.'

/** The sources and addresses that an answer names. */
interface Background {
  readonly entries: readonly CatalogueEntry[]
  /** The addresses of the same question in the API. */
  readonly urls: readonly string[]
  readonly isSynthetic: boolean
}

/** Adds the publisher and the age of the data to a tool's result. A list that is too long is cut, with a note. */
export function answer(found: ToolFindings, background: Background): CallToolResult {
  let shown = found.data.results.length
  let content = contentOf(found, background, shown)
  while (shown > 0 && Buffer.byteLength(JSON.stringify(content)) > MAX_BYTES) {
    shown = Math.floor(shown * 0.8)
    content = contentOf(found, background, shown)
  }
  return result(content)
}

function contentOf(
  { data, total, hasMore = false, datasets }: ToolFindings,
  background: Background,
  shown: number,
) {
  const { results, ...others } = data
  const { entries, urls, isSynthetic } = background
  const sources = entries.filter(({ name }) => datasets.includes(name))
  const isInvented = isSynthetic || sources.some(({ synthetic }) => synthetic)
  const isCut = shown < (total ?? results.length) || hasMore
  return {
    warning: isInvented ? SYNTHETIC : undefined,
    count: total,
    results: results.slice(0, shown),
    more: isCut
      ? `${total === undefined ? 'There are more.' : `${shown} of ${total}.`} ${NARROW}`
      : undefined,
    ...others,
    about: { urls, synthetic: isInvented, sources: sources.map(sourceOf) },
  }
}

const sourceOf = (entry: CatalogueEntry) => ({
  dataset: entry.name,
  ...pick(entry, 'publisher', 'licence', 'licenceUrl', 'attribution', 'release', 'publishedAt', 'updatedAt'),
})

/** Writes a problem so that an agent can correct its call. */
export function failure(problem: Problem): CallToolResult {
  const { code, message: detail, errors } = problem
  const content = { code, detail, hint: PROBLEMS[code].hint, errors }
  return { ...result(content), isError: true }
}

const result = (content: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
})
