import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { to } from '../../address.ts'
import { docs } from '../../texts/en/docs.ts'
import { realValue } from '../api/try/real-values.ts'

/** A page of the documentation as built. */
export interface DocumentPage {
  readonly path: string
  /** Its kind: the folder it is in; empty for the map. */
  readonly section: string
  /** True for pages that only operators read. */
  readonly operators: boolean
  readonly title: string
  /** Its first sentence. */
  readonly summary: string
  readonly headings: readonly { readonly id: string; readonly text: string; readonly depth: number }[]
  /** The HTML below the title. */
  readonly html: string
}

/** The kinds of pages, in the order of the readers' needs. */
export const SECTIONS = [
  { name: 'tutorial', ...docs.sections.tutorial },
  { name: 'how-to', ...docs.sections.howTo },
  { name: 'reference', ...docs.sections.reference },
  { name: 'explanation', ...docs.sections.explanation },
  { name: 'decisions', ...docs.sections.decisions },
] as const

/** Loads every page, only on the service. */
export const loadDocuments = async (): Promise<readonly DocumentPage[]> =>
  (await import('virtual:documentation')).DOCUMENTS

/** The address of the service in the sources of the pages. */
const WRITTEN_ADDRESS = 'http://127.0.0.1:8080'

/** The car park in the addresses of a page's source. */
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
 * The HTML of a page as this service shows it. Examples for consumers have its own address, so that readers can copy them.
 * Examples for operators keep the address of the machine in front of them.
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
