import { absolute, declarePage, to, type ViewProps } from '../../page.ts'
import { Card } from '../../parts/card.tsx'
import { docs } from '../../texts/en/docs.ts'
import { anchor, rich, text } from '../../texts/rich.tsx'
import { CodeBlock } from './code-block.tsx'
import { type DocumentPage, loadDocuments, shownHtml } from './document.ts'
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
            <Card key={path} path={path} title={title}>
              <p>{detail}</p>
            </Card>
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

/** A request to this service that readers can copy, and its answer. */
function FirstAnswer() {
  const path = '/v1/carparks/live-spaces'
  return (
    <section class="first-answer">
      <h2>{docs.firstAnswer}</h2>
      <p>{docs.firstAnswerDetail}</p>
      <CodeBlock code={`curl ${absolute(path)}`} />
      <p>{rich(docs.inBrowser, { path, link: anchor(to(path)) })}</p>
    </section>
  )
}
