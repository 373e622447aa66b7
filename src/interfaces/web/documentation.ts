import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DOCUMENTATION_HEADERS } from '../../http/response/default-headers.ts'
import type { Router } from '../../http/routing/router.ts'
import { addAsset, addRedirect, type FileAsset } from './asset.ts'
import { DOCUMENTATION_SCRIPT } from './browser-scripts.ts'
import { DOCUMENTATION_CSS } from './documentation-css.ts'
import { html } from './page.ts'

/** The files of Swagger UI that its page loads, with their media types. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'application/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'application/javascript; charset=utf-8',
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
}

const HTML = 'text/html; charset=utf-8'
const JAVASCRIPT = 'application/javascript; charset=utf-8'

/** Adds the documentation under /docs: Swagger UI, self-hosted and without inline scripts. */
export function addDocumentation(
  router: Router,
  options: {
    title: string
    synthetic: boolean
    lastModified: () => Date
    document: Pick<FileAsset, 'content' | 'version'>
  },
): void {
  const { title, document, ...about } = options
  const common = { ...about, defaultHeaders: DOCUMENTATION_HEADERS, maxAge: 0 }
  const page = (path: string, type: string, text: string) =>
    addAsset(router, { ...common, path, type, content: () => Buffer.from(text) })
  page('/docs', HTML, documentationPage(title))
  addAsset(router, {
    ...{ ...common, ...document },
    path: '/docs/json',
    type: 'application/json; charset=utf-8',
  })
  addRedirect(router, {
    path: '/docs/static/index.html',
    to: '/docs/',
    defaultHeaders: DOCUMENTATION_HEADERS,
  })
  addAsset(router, {
    ...common,
    path: DOCUMENTATION_SCRIPT.path,
    type: JAVASCRIPT,
    content: DOCUMENTATION_SCRIPT.read,
  })
  page('/docs/static/theme/docs.css', 'text/css; charset=UTF-8', DOCUMENTATION_CSS)
  const folder = import.meta.resolve('swagger-ui-dist/package.json')
  for (const [name, type] of Object.entries(FILES)) {
    const file = fileURLToPath(new URL(name, folder))
    addAsset(router, { ...common, path: `/docs/static/${name}`, type, content: () => readFileSync(file) })
  }
}

/** Absolute paths, so that the page works at /docs and at /docs/. */
const documentationPage = (title: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" href="/docs/static/index.css">
<link rel="stylesheet" href="/docs/static/theme/docs.css">
<link rel="icon" type="image/png" href="/docs/static/favicon-32x32.png" sizes="32x32">
<link rel="icon" type="image/png" href="/docs/static/favicon-16x16.png" sizes="16x16">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/static/swagger-ui-bundle.js"></script>
<script src="/docs/static/swagger-ui-standalone-preset.js"></script>
<script type="module" src="${DOCUMENTATION_SCRIPT.path}"></script>
</body>
</html>
`.safe
