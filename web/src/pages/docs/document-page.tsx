import { declarePage, to, type ViewProps } from '../../page.ts'
import { docs } from '../../texts/en/docs.ts'
import { type DocumentPage, loadDocuments, SECTIONS, shownHtml, withOwnCarpark } from './document.ts'
import { Layout } from './layout.tsx'
import { Missing } from './missing.tsx'

interface Data {
  readonly page: DocumentPage | undefined
  readonly pages: readonly DocumentPage[]
}

/** A page of the documentation, from the Markdown in docs/. */
export const documentPage = declarePage<Data>({
  path: '/docs/:section/:page',
  maxAge: 3600,
  script: 'docs',
  async load({ params, get }) {
    const pages = await loadDocuments()
    const page = pages.find(({ path }) => path === `/docs/${params.section}/${params.page}`)
    return { pages, page: page && (await withOwnCarpark(page, get)) }
  },
  title: ({ page }) => page?.title ?? docs.notFound,
  description: ({ page }) => page?.summary ?? docs.notFoundDescription,
  status: ({ page }) => (page === undefined ? 404 : 200),
  // The map of the documentation has no section, and a page of its own.
  addresses: async () =>
    (await loadDocuments()).filter(({ section }) => section !== '').map(({ path }) => path),
  View,
})

function View({ data: { page, pages }, site }: ViewProps<Data>) {
  if (page === undefined) return <Missing />
  const { section, path, title, headings } = page
  const parts = headings.filter(({ depth }) => depth === 2)
  return (
    <Layout pages={pages} current={path}>
      <nav class="crumbs no-print" aria-label={docs.breadcrumb}>
        <a href={to('/docs')}>{docs.title}</a> ›{' '}
        <a href={to(`/docs/${section}`)}>{SECTIONS.find(({ name }) => name === section)?.title}</a>
      </nav>
      <h1>{title}</h1>
      {parts.length > 2 && (
        <details class="on-this-page no-print">
          <summary>{docs.onThisPage}</summary>
          <ul>
            {parts.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
      <div class="prose" dangerouslySetInnerHTML={{ __html: shownHtml(page, site.baseUrl) }} />
    </Layout>
  )
}
