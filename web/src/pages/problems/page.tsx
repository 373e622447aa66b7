import { declarePage, to, type ViewProps } from '../../page.ts'
import { type DocumentPage, shownHtml } from '../docs/document.ts'
import { explanationOf, KINDS, type Kind } from './kinds.ts'

/** Every kind of problem that the service answers with. */
export const problems = declarePage({
  path: '/problems',
  maxAge: 3600,
  script: 'docs',
  hydrated: false,
  load: async () => KINDS,
  title: () => 'Problems',
  description: () => 'Every error that the service answers with, what it means and what to do.',
  View: ListView,
})

function ListView({ data }: ViewProps<readonly Kind[]>) {
  return (
    <>
      <h1>Problems</h1>
      <p>
        Every error response names one of these kinds by its address and its code. All of them in one table:{' '}
        <a href={to('/docs/reference/problems')}>the reference</a>.
      </p>
      <ul class="docs-list">
        {data.map(({ code, path, status, title, hint }) => (
          <li key={code}>
            <a href={to(path)}>{title}</a>{' '}
            <span class="muted">
              {status} <code>{code}</code>
            </span>
            <p class="facts">{hint}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

interface Explained {
  readonly kind: Kind
  readonly html: string
}

/** One kind of problem; the `type` of every error is the address of one. */
export const problem = declarePage<Explained | null>({
  path: '/problems/:kind',
  maxAge: 3600,
  script: 'docs',
  hydrated: false,
  async load({ path }) {
    const kind = KINDS.find(each => each.path === path.replace(/\/$/, ''))
    return kind === undefined ? null : { kind, html: await explanationOf(kind) }
  },
  title: explained => explained?.kind.title ?? 'No such problem',
  description: explained => explained?.kind.hint ?? 'No kind of problem has this address.',
  status: explained => (explained === null ? 404 : 200),
  addresses: async () => KINDS.map(({ path }) => path),
  View: KindView,
})

function KindView({ data, site }: ViewProps<Explained | null>) {
  if (data === null)
    return (
      <>
        <h1>No such problem</h1>
        <p>
          No kind of problem has this address. <a href={to('/problems')}>All problems</a>
        </p>
      </>
    )
  const { kind, html } = data
  const page: Pick<DocumentPage, 'html' | 'operators'> = { html, operators: false }
  return (
    <>
      <nav class="crumbs no-print" aria-label="Breadcrumb">
        <a href={to('/docs')}>Documentation</a> › <a href={to('/problems')}>Problems</a>
      </nav>
      <h1>{kind.title}</h1>
      <p>
        <code>{kind.code}</code>, HTTP status {kind.status}
      </p>
      <div class="prose" dangerouslySetInnerHTML={{ __html: shownHtml(page, site.baseUrl) }} />
      <p>
        <a href={to('/docs/reference/problems')}>The members of every error response</a>
      </p>
    </>
  )
}
