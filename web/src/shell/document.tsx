import type { ComponentChildren } from 'preact'
import type { FeedLink, Site } from '../../../src/interfaces/web/explorer.ts'
import { absolute, basePath, to } from '../address.ts'
import { embed } from '../texts/en/embed.ts'
import { language } from '../texts/en/language.ts'
import { shell } from '../texts/en/shell.ts'
import { rich, strong, text } from '../texts/rich.tsx'
import { embedded } from './embedded.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { Alternates, LanguageOffers } from './languages.tsx'

const FEEDS = [
  { suffix: '.atom', type: 'application/atom+xml' },
  { suffix: '.json', type: 'application/feed+json' },
]

/** The head of a document. */
export interface Head {
  readonly title: string
  readonly description: string
  /** The path of the main address. */
  readonly canonical: string | undefined
  /** False for a page that no search engine should list. */
  readonly isListed: boolean
  /** True for a page in a frame of another site. */
  readonly isEmbedded: boolean
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

/** The whole document: head, header, the page, footer. In a frame of another site there is a link in place of all that. */
export function Document({ head, site, path, children }: DocumentProps) {
  const { isEmbedded } = head
  return (
    <html lang={language.code} data-base-path={basePath || undefined}>
      <DocumentHead head={head} site={site} />
      <body>
        {!isEmbedded && (
          <>
            <a class="skip-link" href="#main">
              {shell.skip}
            </a>
            <Header site={site} path={path} />
            <LanguageOffers site={site} path={path} />
          </>
        )}
        {site.synthetic && <SyntheticWarning isShort={isEmbedded} />}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        {isEmbedded ? <EmbedFooter site={site} path={path} /> : <Footer site={site} path={path} />}
        <script id="site" type="application/json" dangerouslySetInnerHTML={{ __html: embedded(site) }} />
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
      {head.isEmbedded ? (
        // No other page may be in a frame, so links open in a tab of their own.
        <base target="_blank" />
      ) : (
        <Description head={head} site={site} />
      )}
      {!head.isListed && <meta name="robots" content="noindex" />}
      {head.styles.map(href => (
        <link key={href} rel="stylesheet" href={to(href)} />
      ))}
      {head.modules.map(href => (
        <link key={href} rel="modulepreload" href={to(href)} />
      ))}
      {head.scripts.map(src => (
        <script key={src} type="module" src={to(src)} />
      ))}
    </head>
  )
}

/** Describes the page to search engines, chats, feed readers and devices. */
function Description({ head, site }: Pick<DocumentProps, 'head' | 'site'>) {
  return (
    <>
      <meta name="description" content={head.description} />
      <meta property="og:title" content={head.title} />
      <meta property="og:description" content={head.description} />
      <meta property="og:site_name" content={site.title} />
      <meta property="og:type" content="website" />
      {head.canonical !== undefined && <meta property="og:url" content={absolute(head.canonical)} />}
      {/* Chats and networks that show a card read absolute addresses alone. */}
      <meta property="og:image" content={absolute('/icon-512.png')} />
      <meta name="twitter:card" content="summary" />
      <meta name="theme-color" content="#0b4f8a" />
      {head.canonical !== undefined && <link rel="canonical" href={absolute(head.canonical)} />}
      <Alternates site={site} path={head.canonical} />
      <link rel="icon" href={to('/icon.svg')} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={to('/apple-touch-icon.png')} />
      <link rel="manifest" href={to('/manifest.webmanifest')} />
      {head.feeds.flatMap(({ title, path }) =>
        FEEDS.map(({ suffix, type }) => (
          <link key={path + suffix} rel="alternate" type={type} title={title} href={to(path + suffix)} />
        )),
      )}
      {head.structured !== undefined && (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: head.structured }} />
      )}
    </>
  )
}

/** Leads from a page in a frame to the page of the service that shows more. */
const EmbedFooter = ({ site, path = '/embed/' }: Pick<DocumentProps, 'site' | 'path'>) => (
  <footer class="facts">
    <a href={to(path.replace('/embed', ''))} rel="noopener">
      {text(embed.more, { site: site.title })}
    </a>
  </footer>
)

/** Stands on every page of the synthetic island: nobody may take it for a real island. */
function SyntheticWarning({ isShort }: { readonly isShort: boolean }) {
  return (
    <aside class="synthetic" aria-label={shell.syntheticLabel}>
      <p>{rich(isShort ? embed.synthetic : shell.synthetic, { strong })}</p>
    </aside>
  )
}
