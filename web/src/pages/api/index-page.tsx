import { declarePage, type LoadRequest, to, type ViewProps } from '../../page.ts'
import { api } from '../../texts/en/api.ts'
import { docs } from '../../texts/en/docs.ts'
import { link, rich } from '../../texts/rich.tsx'
import { MarkedBlocks } from './marked-text.tsx'
import { type OpenApi, operationsOf, type PathOperation } from './openapi.ts'

/** Every endpoint by its subject. */
export const apiIndex = declarePage({
  path: '/docs/api',
  maxAge: 300,
  script: 'api',
  load,
  title: () => api.title,
  description: () => api.description,
  View,
})

async function load({ get }: LoadRequest) {
  const document = await get<OpenApi>('/openapi.json')
  const operations = operationsOf(document)
  const tagOf = ({ tags }: PathOperation) => tags?.[0] ?? 'other'
  const tags = [...new Set(operations.map(tagOf))].map(name => ({
    ...{ name, title: titleOf(document, name) },
    operations: operations.filter(operation => tagOf(operation) === name),
  }))
  return { ...document.info, tags }
}

function View({ data: { description = '', tags, version } }: ViewProps<Awaited<ReturnType<typeof load>>>) {
  return (
    <>
      <nav class="crumbs no-print" aria-label={docs.breadcrumb}>
        <a href={to('/docs')}>{docs.title}</a>
      </nav>
      <h1>{api.title}</h1>
      <MarkedBlocks text={description} />
      <p class="facts">
        {rich(api.versions, {
          version,
          openapi: link('/openapi.json'),
          agents: link('/llms.txt'),
          endpoints: link('/docs/reference/endpoints'),
        })}
      </p>
      {tags.map(({ name, title, operations }) => (
        <section key={name}>
          <h2 id={name}>{title}</h2>
          <ul class="docs-list">
            {operations.map(({ operationId, path, summary }) => (
              <li key={operationId}>
                <a href={to(`/docs/api/${operationId}`)}>{summary}</a>
                <p class="api-path">
                  <span class="api-method">GET</span> <code>{path}</code>
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** The title of a tag is the first sentence of its description. */
const titleOf = ({ tags = [] }: OpenApi, name: string) =>
  tags.find(tag => tag.name === name)?.description?.split('. ', 1)[0] ??
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`
