import { createHash } from 'node:crypto'
import { type Html, html } from '../values/html.ts'

const STYLE = html`body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:auto;padding:0 1rem;overflow-wrap:anywhere}li{margin:.5rem 0}
code{background:#eee;color:#111;padding:.1rem .3rem}div{overflow-x:auto}`

/** The policy of a page without scripts: nothing is loaded, sent or framed. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE.safe).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Renders a page for the operator, which loads no other files. */
export const operatorPage = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head>
<body><h1>${title}</h1>
${body}
</body></html>
`.safe
