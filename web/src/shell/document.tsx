import type { ComponentChildren } from 'preact'
import type { FeedLink, Site } from '../../../src/interfaces/web/explorer.ts'
import { basePath, to } from '../address.ts'
import { shell } from '../texts/en/shell.ts'
import { rich, strong, text } from '../texts/rich.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

const FEEDS = [
  { suffix: '.atom', type: 'application/atom+xml' },
  { suffix: '.json', type: 'application/feed+json' },
]

/** The head of a document. */
export interface Head {
  readonly title: string
  readonly description: string
  readonly canonical: string | undefined
  /** False for a page that no search engine should list. */
  readonly isListed: boolean
  readonly feeds: readonly FeedLink[]
  readonly scripts: readonly string[]
  /** Modules that the scripts import. */
  readonly modules: readonly string[]
  readonly styles: readonly string[]
  /** JSON-LD for search engines. */
  readonly structured: string | undefined
  /** The data of the page as JSON, for its script. */
  readonly data: string | undefined
}

interface DocumentProps {
  readonly head: Head
  readonly site: Site
  readonly path: string | undefined
  readonly children: ComponentChildren
}

/** The whole document: head, header, the page, footer. */
export function Document({ head, site, path, children }: DocumentProps) {
  return (
    <html lang="en" data-base-path={basePath || undefined}>
      <DocumentHead head={head} site={site} />
      <body>
        <a class="skip-link" href="#main">
          {shell.skip}
        </a>
        <Header site={site} path={path} />
        {site.synthetic && <SyntheticWarning />}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <Footer site={site} />
        {head.data !== undefined && (
          <script id="data" type="application/json" dangerouslySetInnerHTML={{ __html: head.data }} />
        )}
      </body>
    </html>
  )
}

function DocumentHead({ head, site }: Pick<DocumentProps, 'head' | 'site'>) {
  const title =
    head.title === site.title ? head.title : text(shell.title, { page: head.title, site: site.title })
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={head.description} />
      <meta name="theme-color" content="#0b4f8a" />
      {!head.isListed && <meta name="robots" content="noindex" />}
      {head.canonical !== undefined && <link rel="canonical" href={head.canonical} />}
      <link rel="icon" href={to('/icon.svg')} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={to('/apple-touch-icon.png')} />
      <link rel="manifest" href={to('/manifest.webmanifest')} />
      {head.styles.map(href => (
        <link key={href} rel="stylesheet" href={to(href)} />
      ))}
      {head.feeds.flatMap(({ title, path }) =>
        FEEDS.map(({ suffix, type }) => (
          <link key={path + suffix} rel="alternate" type={type} title={title} href={to(path + suffix)} />
        )),
      )}
      {head.modules.map(href => (
        <link key={href} rel="modulepreload" href={to(href)} />
      ))}
      {head.scripts.map(src => (
        <script key={src} type="module" src={to(src)} />
      ))}
      {head.structured !== undefined && (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: head.structured }} />
      )}
    </head>
  )
}

/** Stands on every page of the synthetic island: nobody may take it for a real island. */
function SyntheticWarning() {
  return (
    <aside class="synthetic" aria-label={shell.syntheticLabel}>
      <p>{rich(shell.synthetic, { strong })}</p>
    </aside>
  )
}
