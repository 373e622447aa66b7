import { declarePage, to, type ViewProps } from '../../page.ts'
import { docs } from '../../texts/en/docs.ts'
import { problems as texts } from '../../texts/en/problems.ts'
import { code, link, rich } from '../../texts/rich.tsx'
import { type DocumentPage, shownHtml } from '../docs/document.ts'
import { explanationOf, KINDS, type Kind } from './kinds.ts'

/** Every kind of problem in the service's answers. */
export const problems = declarePage({
  path: '/problems',
  maxAge: 3600,
  script: 'docs',
  load: async () => KINDS,
  title: () => texts.title,
  description: () => texts.description,
  View: ListView,
})

function ListView({ data }: ViewProps<readonly Kind[]>) {
  return (
    <>
      <h1>{texts.title}</h1>
      <p>{rich(texts.lead, { link: link('/docs/reference/problems') })}</p>
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

/** One kind of problem. The `type` of every error is the address of such a page. */
export const problem = declarePage<Explained | null>({
  path: '/problems/:kind',
  maxAge: 3600,
  script: 'docs',
  async load({ path }) {
    const kind = KINDS.find(each => each.path === path.replace(/\/$/, ''))
    return kind === undefined ? null : { kind, html: await explanationOf(kind) }
  },
  title: explained => explained?.kind.title ?? texts.notFound,
  description: explained => explained?.kind.hint ?? texts.notFoundDescription,
  status: explained => (explained === null ? 404 : 200),
  addresses: async () => KINDS.map(({ path }) => path),
  View: KindView,
})

function KindView({ data, site }: ViewProps<Explained | null>) {
  if (data === null)
    return (
      <>
        <h1>{texts.notFound}</h1>
        <p>{rich(texts.notFoundDetail, { link: link('/problems') })}</p>
      </>
    )
  const { kind, html } = data
  const page: Pick<DocumentPage, 'html' | 'operators'> = { html, operators: false }
  return (
    <>
      <nav class="crumbs no-print" aria-label={docs.breadcrumb}>
        <a href={to('/docs')}>{docs.title}</a> › <a href={to('/problems')}>{texts.title}</a>
      </nav>
      <h1>{kind.title}</h1>
      <p>{rich(texts.code, { name: kind.code, status: kind.status, code })}</p>
      <div class="prose" dangerouslySetInnerHTML={{ __html: shownHtml(page, site.baseUrl) }} />
      <p>
        <a href={to('/docs/reference/problems')}>{texts.members}</a>
      </p>
    </>
  )
}
