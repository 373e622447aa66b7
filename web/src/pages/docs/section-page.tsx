import { declarePage, type ViewProps } from '../../page.ts'
import { type DocumentPage, loadDocuments, SECTIONS } from './document.ts'
import { Layout } from './layout.tsx'
import { Missing } from './missing.tsx'

interface Data {
  readonly section: (typeof SECTIONS)[number] | undefined
  readonly pages: readonly Pick<DocumentPage, 'path' | 'section' | 'title' | 'summary'>[]
}

/** All pages of one kind. */
export const sectionPage = declarePage<Data>({
  path: '/docs/:section',
  maxAge: 3600,
  script: 'docs',
  hydrated: false,
  load: async ({ params }) => ({
    section: SECTIONS.find(({ name }) => name === params.section),
    pages: await loadDocuments(),
  }),
  title: ({ section }) => section?.title ?? 'No such page',
  description: ({ section }) => section?.summary ?? 'The documentation has no page at this address.',
  status: ({ section }) => (section === undefined ? 404 : 200),
  View,
})

function View({ data: { section, pages } }: ViewProps<Data>) {
  if (section === undefined) return <Missing />
  return (
    <Layout pages={pages} current={`/docs/${section.name}`}>
      <nav class="crumbs no-print" aria-label="Breadcrumb">
        <a href="/docs">Documentation</a>
      </nav>
      <h1>{section.title}</h1>
      <p>{section.summary}</p>
      <ul class="docs-list">
        {pages
          .filter(page => page.section === section.name)
          .map(({ path, title, summary }) => (
            <li key={path}>
              <a href={path}>{title}</a>
              <p class="facts">{summary}</p>
            </li>
          ))}
      </ul>
    </Layout>
  )
}
