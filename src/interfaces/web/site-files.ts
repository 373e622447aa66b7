import { addText } from '../../http/document.ts'
import type { ParsedRequest } from '../../http/request.ts'
import type { Router } from '../../http/router.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import { DAY_MS, HOUR_S } from '../../values/time-units.ts'
import type { Site } from './explorer.ts'

/** RFC 9116 recommends less than a year, so that old copies do not stay valid. */
const VALID_DAYS = 180

/** Adds security.txt (RFC 9116), the contact for vulnerabilities. It changes once a day, when its expiry moves on. */
export function addSecurityTxt(router: Router, contact: string): void {
  const today = () => Math.floor(Date.now() / DAY_MS) * DAY_MS
  addText(router, {
    path: '/.well-known/security.txt',
    type: 'text/plain; charset=utf-8',
    maxAge: HOUR_S,
    synthetic: false,
    render: () =>
      `Contact: ${contact}\nExpires: ${new Date(today() + VALID_DAYS * DAY_MS).toISOString()}\nPreferred-Languages: en\n`,
  })
}

interface ListedPage {
  readonly path: string
  readonly alternates: readonly { readonly language: string; readonly path: string }[]
}

interface SitemapOptions {
  /** Returns all pages that search engines should list, each with its paths in every language, if it has several. */
  readonly addresses: (request: ParsedRequest) => Promise<readonly ListedPage[]>
  readonly baseUrl: () => string
  /** True for the demo, which no search engine may list: a defibrillator that is not there is dangerous. */
  readonly synthetic: boolean
}

const PATH = '/sitemap.xml'
/** The most addresses in one file (sitemaps.org). */
const MOST = 50_000

/** Adds the list of all pages for search engines, and robots.txt (RFC 9309), which points to the list. */
export function addSitemap(router: Router, { addresses, baseUrl, synthetic }: SitemapOptions): void {
  addText(router, {
    path: PATH,
    type: 'application/xml',
    maxAge: HOUR_S,
    synthetic,
    async render(request) {
      const pages = await addresses(request)
      return sitemap(pages.slice(0, MOST), path => escaped(addressOf(baseUrl(), path)))
    },
  })
  addText(router, {
    path: '/robots.txt',
    type: 'text/plain; charset=utf-8',
    maxAge: HOUR_S,
    synthetic,
    render: () =>
      `User-agent: *\nDisallow:${synthetic ? ` ${router.shared.address('/')}` : ''}\nSitemap: ${addressOf(baseUrl(), PATH)}\n`,
  })
}

const escaped = (url: string) => url.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const sitemap = (pages: readonly ListedPage[], locationOf: (path: string) => string) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...pages.map(
      ({ path, alternates }) =>
        `<url><loc>${locationOf(path)}</loc>${alternates.map(each => `<xhtml:link rel="alternate" hreflang="${each.language}" href="${locationOf(each.path)}"/>`).join('')}</url>`,
    ),
    '</urlset>\n',
  ].join('\n')

const COLOUR = '#0b4f8a'

/** The pages that a device offers as shortcuts. */
const SHORTCUTS = [
  { name: 'Nearest defibrillator', path: '/emergency' },
  { name: 'Map of places', path: '/map' },
  { name: 'Parking', path: '/parking' },
]

/** Adds the manifest that lets devices install the service as an app, under the operator's title. */
export function addWebManifest(
  router: Router,
  { title, description }: Pick<Site, 'title' | 'description'>,
): void {
  const { address } = router.shared
  const start = address('/')
  const png = (size: number, name: string, purpose: string) => ({
    src: address(`/${name}.png`),
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  const text = JSON.stringify({
    id: start,
    start_url: start,
    scope: start,
    display: 'standalone',
    lang: 'en',
    name: title,
    short_name: title,
    description,
    theme_color: COLOUR,
    background_color: '#ffffff',
    icons: [
      png(192, 'icon-192', 'any'),
      png(512, 'icon-512', 'any'),
      png(512, 'icon-maskable-512', 'maskable'),
      { src: address('/icon.svg'), sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ],
    shortcuts: SHORTCUTS.map(({ name, path }) => ({ name, url: address(path) })),
  })
  addText(router, {
    path: '/manifest.webmanifest',
    type: 'application/manifest+json',
    maxAge: HOUR_S,
    synthetic: false,
    render: () => text,
  })
}
