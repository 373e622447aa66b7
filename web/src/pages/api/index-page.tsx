import { declarePage, to, type ViewProps } from '../../page.ts'
import { api } from '../../texts/en/api.ts'
import { docs } from '../../texts/en/docs.ts'
import { link, rich } from '../../texts/rich.tsx'
import { MarkedBlocks } from './marked-text.tsx'
import { type OpenApi, operationsOf } from './openapi.ts'

interface Tag {
  readonly name: string
  readonly title: string
  readonly operations: readonly { readonly id: string; readonly path: string; readonly summary: string }[]
}

interface Data {
  readonly description: string
  readonly version: string
  readonly tags: readonly Tag[]
}

/** Every endpoint by its subject. */
export const apiIndex = declarePage<Data>({
  path: '/docs/api',
  maxAge: 300,
  script: 'api',
  async load({ get }) {
    const document = await get<OpenApi>('/openapi.json')
    const operations = operationsOf(document)
    const names = [...new Set(operations.map(({ tags }) => tags?.[0] ?? 'other'))]
    const tags = names.map(name => ({
      ...{ name, title: titleOf(document, name) },
      operations: operations
        .filter(operation => (operation.tags?.[0] ?? 'other') === name)
        .map(({ operationId, path, summary }) => ({ id: operationId, path, summary })),
    }))
    return { description: document.info.description ?? '', version: document.info.version, tags }
  },
  title: () => api.title,
  description: () => api.description,
  View,
})

function View({ data: { description, tags, version } }: ViewProps<Data>) {
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
            {operations.map(({ id, path, summary }) => (
              <li key={id}>
                <a href={to(`/docs/api/${id}`)}>{summary}</a>
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
