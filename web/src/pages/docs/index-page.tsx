import { declarePage, to, type ViewProps } from '../../page.ts'
import { docs } from '../../texts/en/docs.ts'
import { text } from '../../texts/text.ts'
import { type DocumentPage, loadDocuments, shownHtml } from './document.ts'
import { FirstAnswer } from './first-answer.tsx'
import type { Entry } from './search.ts'
import { SearchForm } from './search-form.tsx'

interface Data {
  readonly question: string
  readonly found: readonly Entry[]
  readonly map: DocumentPage | undefined
}

/** The start of the documentation: a first answer, the map, and search. */
export const docsIndex = declarePage<Data>({
  path: '/docs',
  maxAge: 3600,
  script: 'docs',
  hydrated: false,
  async load({ query }) {
    const question = (query.get('q') ?? '').slice(0, 200)
    const found = question.trim() === '' ? [] : (await import('./search.ts')).search(question)
    const map = (await loadDocuments()).find(({ path }) => path === '/docs')
    return { question, found, map }
  },
  title: ({ question }) => (question === '' ? docs.title : text(docs.titleFound, { question })),
  description: () => docs.description,
  View,
})

const WAYS = [
  {
    path: '/docs/tutorial/first-answers',
    title: docs.useData,
    detail: docs.useDataDetail,
  },
  {
    path: '/docs/api',
    title: docs.tryApi,
    detail: docs.tryApiDetail,
  },
  {
    path: '/docs/tutorial/publish-your-first-release',
    title: docs.runService,
    detail: docs.runServiceDetail,
  },
]

function View({ data: { question, found, map }, site }: ViewProps<Data>) {
  return (
    <>
      <h1>{docs.title}</h1>
      <SearchForm question={question} found={found} />
      {question === '' && (
        <ul class="cards">
          {WAYS.map(({ path, title, detail }) => (
            <li key={path} class="card">
              <h2>
                <a href={to(path)}>{title}</a>
              </h2>
              <p>{detail}</p>
            </li>
          ))}
        </ul>
      )}
      {question === '' && <FirstAnswer />}
      {question === '' && map !== undefined && (
        <div class="prose docs-map" dangerouslySetInnerHTML={{ __html: shownHtml(map, site.baseUrl) }} />
      )}
    </>
  )
}
