import { declarePage, to, type ViewProps } from '../../page.ts'
import { type DocumentPage, loadDocuments, shownHtml } from './document.ts'
import { FirstAnswer } from './first-answer.tsx'
import type { Entry } from './search.ts'
import { SearchForm } from './search-form.tsx'

interface Data {
  readonly question: string
  readonly found: readonly Entry[]
  readonly map: DocumentPage | undefined
}

/** Where the documentation starts: a first answer, the map, and search. */
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
  title: ({ question }) => (question === '' ? 'Documentation' : `${question}: search in the documentation`),
  description: () => 'How to use the data, how to run the service, and what you can rely on.',
  View,
})

const WAYS = [
  {
    path: '/docs/tutorial/first-answers',
    title: 'Use the data',
    text: 'A first answer in a minute, a script in ten.',
  },
  {
    path: '/docs/api',
    title: 'Try the API',
    text: 'Every endpoint with its parameters, and a form to send requests.',
  },
  {
    path: '/docs/tutorial/publish-your-first-release',
    title: 'Run the service',
    text: 'Install it, publish a file of data, and take it back.',
  },
]

function View({ data: { question, found, map }, site }: ViewProps<Data>) {
  return (
    <>
      <h1>Documentation</h1>
      <SearchForm question={question} found={found} />
      {question === '' && (
        <ul class="cards">
          {WAYS.map(({ path, title, text }) => (
            <li key={path} class="card">
              <h2>
                <a href={to(path)}>{title}</a>
              </h2>
              <p>{text}</p>
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
