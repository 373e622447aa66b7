import { declarePage, to, type ViewProps } from '../../page.ts'
import { docs } from '../../texts/en/docs.ts'
import { type DocumentPage, loadDocuments, SECTIONS } from './document.ts'
import { Layout } from './layout.tsx'
import { Missing } from './missing.tsx'

type Listed = Pick<DocumentPage, 'path' | 'section' | 'title' | 'summary' | 'operators'>

interface Data {
  readonly section: (typeof SECTIONS)[number] | undefined
  readonly pages: readonly Listed[]
}

/** All pages of one kind. */
export const sectionPage = declarePage<Data>({
  path: '/docs/:section',
  maxAge: 3600,
  script: 'docs',
  load: async ({ params }) => ({
    section: SECTIONS.find(({ name }) => name === params.section),
    pages: await loadDocuments(),
  }),
  title: ({ section }) => section?.title ?? docs.notFound,
  description: ({ section }) => section?.summary ?? docs.notFoundDescription,
  status: ({ section }) => (section === undefined ? 404 : 200),
  addresses: async () => SECTIONS.map(({ name }) => `/docs/${name}`),
  View,
})

function View({ data: { section, pages } }: ViewProps<Data>) {
  if (section === undefined) return <Missing />
  return (
    <Layout pages={pages} current={`/docs/${section.name}`}>
      <nav class="crumbs no-print" aria-label={docs.breadcrumb}>
        <a href={to('/docs')}>{docs.title}</a>
      </nav>
      <h1>{section.title}</h1>
      <p>{section.summary}</p>
      {groupsOf(pages.filter(page => page.section === section.name)).map(group => (
        <section key={group.title}>
          {group.title !== '' && <h2>{group.title}</h2>}
          <ul class="docs-list">
            {group.pages.map(page => (
              <li key={page.path}>
                <a href={to(page.path)}>{page.title}</a>
                <p class="facts">{page.summary}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Layout>
  )
}

/** The pages for consumers, and then the pages for operators if the kind has both. */
function groupsOf(pages: readonly Listed[]) {
  const [consumers = [], operators = []] = [false, true].map(each =>
    pages.filter(page => page.operators === each),
  )
  if (consumers.length === 0 || operators.length === 0) return [{ title: '', pages }]
  return [
    { title: docs.useData, pages: consumers },
    { title: docs.runService, pages: operators },
  ]
}
