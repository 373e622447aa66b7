import type { Metadata } from '../../datasets/metadata.ts'

/** What every page says of the service. */
export interface Site extends Pick<Metadata, 'title' | 'description' | 'contact'> {
  /** True for the demo. */
  readonly synthetic: boolean
}

/** Text that is safe in HTML: made by {@link html} alone. */
export interface Html {
  readonly safe: string
}

/** Escapes every value, except those that are {@link Html} already. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const written = values.map((value, index) => `${writeValue(value)}${parts[index + 1] ?? ''}`)
  return { safe: `${parts[0] ?? ''}${written.join('')}` }
}

function writeValue(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escaped(value)
  return 'safe' in value ? value.safe : value.map(part => part.safe).join('')
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** Renders a whole page: the title of the service above, whom to ask below. Every page of the synthetic island carries a warning. */
export function page(content: {
  title: string
  body: Html
  site: Site
  /** The path of its script. */
  script?: string
}): string {
  const { title, body, site } = content
  const script =
    content.script === undefined
      ? html``
      : html`<script type="module" src="${content.script}"></script>
`
  const warning = site.synthetic
    ? html`<p class="synthetic" role="note"><strong>Synthetic island.</strong> Every place, vehicle and reading here is
invented. Never look for a defibrillator with this.</p>`
    : html``
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${site.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/page.css">
${script}</head>
<body>
<header><a href="/">${site.title}</a></header>
<main>
${warning}<h1>${title}</h1>
${body}
</main>
${footer(site)}</body>
</html>
`.safe
}

function footer({ contact }: Site): Html {
  if (contact === undefined) return html``
  const { name, email, url } = contact
  const parts = [
    ...(name === undefined ? [] : [html` ${name}`]),
    ...(email === undefined ? [] : [html` <a href="mailto:${email}">${email}</a>`]),
    ...(url === undefined ? [] : [html` <a href="${url}">${url}</a>`]),
  ]
  return html`<footer>Contact:${parts}</footer>
`
}

/** The stylesheet of every page, for phones and for light and dark mode. */
export const PAGE_CSS = `:root { color-scheme: light dark; --accent: light-dark(#0b5cad, #8ec5ff); --line: light-dark(#d5dbe1, #3a424b); --warn: light-dark(#fff3cd, #4a3b00); --muted: light-dark(#3d444b, #c3c8ce) }
* { box-sizing: border-box }
body { margin: 0; color: light-dark(#111, #f4f4f4); background: light-dark(#fff, #121212); font: 1rem/1.5 system-ui, sans-serif }
header, main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 1rem }
main { padding-bottom: 2rem }
footer { padding-bottom: 2rem; font-size: .9rem; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 1rem 0 .5rem }
h2 { font-size: 1.1rem; margin: 0 }
a { color: var(--accent) }
code { font-family: ui-monospace, monospace; font-size: .95em; overflow-wrap: anywhere }
ul.datasets { list-style: none; padding: 0; display: grid; gap: .75rem }
ul.datasets > li { border: 1px solid var(--line); border-radius: .6rem; padding: .8rem 1rem }
ul.datasets p { margin: .25rem 0 }
.facts { font-size: .9rem; color: var(--muted) }
.unknown { color: var(--muted); font-style: italic }
table.parking { width: 100%; border-collapse: collapse }
table.parking th, table.parking td { text-align: left; vertical-align: top; padding: .55rem .5rem .55rem 0; border-bottom: 1px solid var(--line) }
table.parking th[scope=row] { font-weight: 600 }
table.parking th[scope=row] .facts { font-weight: 400 }
table.parking th:not(:first-child), table.parking td:not(:first-child) { white-space: nowrap; padding-left: .75rem }
table.parking tr.note td { padding-top: 0 }
table.parking tr:has(+ tr.note) > * { border-bottom: 0 }
table.parking td strong { font-size: 1.35rem; line-height: 1.1 }
.old .count { color: var(--muted); font-style: italic }
.old .count strong { font-size: inherit; font-weight: inherit }
#state:has(+ .old) { background: var(--warn); border-radius: .6rem; padding: .7rem 1rem }
.synthetic { background: var(--warn); border-radius: .6rem; padding: .7rem 1rem; margin: .5rem 0 }
`
