import { describeOrigin } from '../../datasets/origin.ts'
import { addText } from '../../http/document.ts'
import type { Router } from '../../http/router.ts'
import { addressOf, basePathOf } from '../../values/addresses/address-of.ts'
import type { CatalogueEntry } from '../catalogue/entry.ts'
import type { Site } from '../web/explorer.ts'
import { MCP_PATH } from './mcp.ts'

interface LlmsTxtOptions {
  readonly describe: () => CatalogueEntry[]
  readonly site: Omit<Site, 'baseUrl' | 'feeds' | 'isCounting' | 'island' | 'languages'>
  readonly baseUrl: () => string
}

/** Adds /llms.txt (llmstxt.org): facts and addresses of the service for language models. */
export function addLlmsTxt(router: Router, options: LlmsTxtOptions): void {
  addText(router, {
    path: '/llms.txt',
    type: 'text/markdown; charset=utf-8',
    maxAge: 60,
    synthetic: options.site.synthetic,
    render: () => llmsTxt(options),
  })
}

function llmsTxt({ describe, site, baseUrl }: LlmsTxtOptions): string {
  const base = baseUrl()
  const link = (title: string, path: string, about: string) =>
    `- [${title}](${addressOf(base, path)}): ${about.replaceAll(/\s+/g, ' ')}`
  const warning = site.synthetic ? ' This data is invented: it is not about any real place.' : ''
  return `# ${site.title}

> Public datasets of an island as a read-only HTTP JSON API, without a key.${warning}

Lists take filters as query parameters. An error is JSON that says what is allowed. Cite the publisher and the licence of each dataset.

## For agents

${link('Model Context Protocol', MCP_PATH, 'the tools of this service, as Streamable HTTP without sessions')}

## Documentation

${link('OpenAPI', '/openapi.json', 'every endpoint and parameter')}
${link('Documentation', '/docs', `how to use it, and at ${addressOf(basePathOf(base), '/docs/api')} a form to try every endpoint`)}
${link('Catalogue', '/v1/datasets', 'publisher, licence and release of each dataset')}
${link('Enumerations', '/v1/enumerations', 'the meanings of values')}

## Datasets

${describe()
  .map(entry => link(entry.title, entry.path, `${entry.description} ${describeOrigin(entry)}`))
  .join('\n')}
`
}
