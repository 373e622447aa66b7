import type { CatalogueEntry } from '../catalogue/entry.ts'
import type { FeedLink } from '../feeds/feed-links.ts'
import { originLine } from './origin-line.ts'
import { type Html, html, page, type Site } from './page.ts'

/** Renders the page at the root: a summary of each dataset, and links to the documentation. */
export function frontPage(
  entries: readonly CatalogueEntry[],
  feeds: readonly FeedLink[],
  site: Site,
): string {
  const items = entries.map(
    entry => html`<li><h2><a href="${entry.path}">${entry.title}</a></h2>
<p>${entry.description}</p><p class="facts">${facts(entry)}</p></li>
`,
  )
  const about =
    site.description === undefined
      ? html``
      : html`<p>${site.description}</p>
`
  const links = feeds.map(
    ({ title, path }, index) => html`${index === 0 ? '' : ' · '}<a href="${path}.atom">${title}</a>`,
  )
  const body = html`${about}<p>Public datasets of the island, read-only, as JSON, without a key.</p>
<p><a href="/docs">Documentation, and a form to try every endpoint</a> ·
<a href="/openapi.json">OpenAPI</a> · <a href="/v1/datasets">Catalogue</a> · <a href="/llms.txt">For agents</a> ·
<a href="/parking">Free parking spaces now</a></p>
<p>Feeds: ${links}</p>
<ul class="datasets">
${items}</ul>`
  return page({ title: 'Public data', body, site, feeds })
}

function facts(entry: CatalogueEntry): Html {
  const { available, records, publishedAt } = entry
  if (!available) return html`Currently not available.`
  const count = (records ?? 0).toLocaleString('en-GB')
  return html`${count} records · published ${publishedAt?.slice(0, 10) ?? ''} · ${originLine(entry)}`
}
