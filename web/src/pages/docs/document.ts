import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { to } from '../../address.ts'
import { realValue } from '../api/try/real-values.ts'

/** A page of the documentation as built. */
export interface DocumentPage {
  readonly path: string
  /** Its kind: the folder it is in; empty for the map. */
  readonly section: string
  /** True for pages that only those who run a service read. */
  readonly operators: boolean
  readonly title: string
  /** Its first sentence. */
  readonly summary: string
  readonly headings: readonly { readonly id: string; readonly text: string; readonly depth: number }[]
  /** What is below its title. */
  readonly html: string
}

/** The kinds of pages, in the order in which readers need them. */
export const SECTIONS = [
  { name: 'tutorial', title: 'Tutorials', summary: 'Learn by doing, step by step.' },
  { name: 'how-to', title: 'How-to guides', summary: 'One task each, from start to end.' },
  { name: 'reference', title: 'Reference', summary: 'Every endpoint, field, header, error and setting.' },
  { name: 'explanation', title: 'Explanation', summary: 'How it works, and what you can rely on.' },
  { name: 'decisions', title: 'Decisions', summary: 'Why it is as it is.' },
] as const

/** Loads every page; a browser never does. */
export const loadDocuments = async (): Promise<readonly DocumentPage[]> =>
  (await import('virtual:documentation')).DOCUMENTS

/** The address under which pages are written; it stands for the service's own. */
const WRITTEN_ADDRESS = 'http://127.0.0.1:8080'

/** The car park in the addresses of a page. */
const WRITTEN_CARPARK = /(?<=http:\/\/127\.0\.0\.1:8080\/v1\/carparks\/)[A-Z]+\b/g

/** A page with a car park that the service has in the addresses for consumers. */
export async function withOwnCarpark(page: DocumentPage, get: GetJson): Promise<DocumentPage> {
  const [written] = page.html.match(WRITTEN_CARPARK) ?? []
  if (written === undefined || page.operators) return page
  const isThere = await get(`/v1/carparks/${written}`).then(
    () => true,
    () => false,
  )
  const own = isThere ? written : await realValue(get, '', 'idOrCode')
  return own === undefined ? page : { ...page, html: page.html.replaceAll(WRITTEN_CARPARK, own) }
}

/**
 * The HTML of a page as this service shows it: examples for consumers have its own address, so that they can be copied. Those for
 * operators are of the machine that they sit at.
 */
export function shownHtml(
  { html, operators }: Pick<DocumentPage, 'html' | 'operators'>,
  baseUrl: string,
): string {
  const linked = html.replace(/(?<= href=")\/[^"]*/g, to)
  return operators || !/^https?:\/\/[\w.:[\]-]+(\/[\w./-]*)?$/.test(baseUrl)
    ? linked
    : linked.replaceAll(WRITTEN_ADDRESS, baseUrl)
}
