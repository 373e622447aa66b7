import type { ParsedRequest } from '../../../http/request/message.ts'
import type { Router } from '../../../http/routing/router.ts'
import { addressOf } from '../../../values/addresses/address-of.ts'
import { HOUR_S } from '../../../values/time-units.ts'
import { addText, keepRendered } from '../rendered-text.ts'

interface SitemapOptions {
  /** Gives the paths of all pages that search engines should list. */
  readonly addresses: (request: ParsedRequest) => Promise<readonly string[]>
  readonly baseUrl: () => string
  /** True for the demo, which no search engine may list: a defibrillator that is not there is dangerous. */
  readonly synthetic: boolean
}

const PATH = '/sitemap.xml'
const MAX_AGE_S = HOUR_S
/** The most that one file may list (sitemaps.org). */
const MOST = 50_000

/** Adds the list of all pages for search engines, and robots.txt (RFC 9309), which leads to it. */
export function addSitemap(router: Router, { addresses, baseUrl, synthetic }: SitemapOptions): void {
  const about = { maxAge: MAX_AGE_S, synthetic }
  const render = async (request: ParsedRequest) => {
    const paths = await addresses(request)
    return sitemap(paths.slice(0, MOST).map(path => addressOf(baseUrl(), path)))
  }
  const handle = keepRendered({ ...about, type: 'application/xml' }, { render, keyOf: () => PATH })
  router.add({ path: PATH, handle })
  addText(router, {
    ...{ ...about, path: '/robots.txt', type: 'text/plain; charset=utf-8' },
    content: () =>
      `User-agent: *\nDisallow:${synthetic ? ` ${router.shared.address('/')}` : ''}\nSitemap: ${addressOf(baseUrl(), PATH)}\n`,
  })
}

const sitemap = (urls: readonly string[]) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls.map(url => `<url><loc>${url.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</loc></url>`),
    '</urlset>\n',
  ].join('\n')
