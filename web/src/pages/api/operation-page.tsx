import { declarePage, to, type ViewProps } from '../../page.ts'
import { api } from '../../texts/en/api.ts'
import { docs } from '../../texts/en/docs.ts'
import { text } from '../../texts/text.ts'
import { Missing } from '../docs/missing.tsx'
import { FieldList } from './field-list.tsx'
import { describedFields, type Field } from './fields.ts'
import { MarkedBlocks } from './marked-text.tsx'
import { type OpenApi, operationsOf, type PathOperation, parametersOf } from './openapi.ts'
import { ResponseList } from './response-list.tsx'
import { type Input, inputOf } from './try/input.ts'
import { realValue } from './try/real-values.ts'
import { TryIt } from './try/try-it.tsx'

interface ShownOperation extends PathOperation {
  readonly inputs: readonly Input[]
  readonly values: ReadonlyMap<string, string>
  readonly fields: readonly Field[]
}

/** One endpoint: its parameters with a form to try it, and its answer. */
export const operationPage = declarePage<ShownOperation | null>({
  path: '/docs/api/:operation',
  maxAge: 300,
  script: 'api',
  async load({ get, params, query }) {
    const document = await get<OpenApi>('/openapi.json')
    const operation = operationsOf(document).find(({ operationId }) => operationId === params.operation)
    if (operation === undefined) return null
    const { path, responses } = operation
    // A browser's form cannot send headers of its own.
    const parameters = parametersOf(document, operation).filter(each => each.in !== 'header')
    const known = await Promise.all(
      parameters.map(async ({ in: place, name, example }) => {
        const given = query.get(name)
        if (given !== null || place !== 'path') return [name, (given ?? '').slice(0, 200)] as const
        return [name, (await realValue(get, path, name)) ?? String(example ?? '')] as const
      }),
    )
    return {
      ...operation,
      values: new Map(known),
      inputs: parameters.map(parameter => inputOf(document, parameter)),
      fields: describedFields(document, responses['200']?.content?.['application/json']?.schema),
    }
  },
  title: operation => operation?.summary ?? api.notFound,
  description: operation => (operation === null ? api.notFoundDescription : text(api.operation, operation)),
  status: operation => (operation === null ? 404 : 200),
  addresses: async get =>
    operationsOf(await get<OpenApi>('/openapi.json')).map(({ operationId }) => `/docs/api/${operationId}`),
  View,
})

function View({ data, site }: ViewProps<ShownOperation | null>) {
  if (data === null) return <Missing />
  const { path, summary, description, fields, responses } = data
  return (
    <>
      <nav class="crumbs no-print" aria-label={docs.breadcrumb}>
        <a href={to('/docs')}>{docs.title}</a> › <a href={to('/docs/api')}>{api.title}</a>
      </nav>
      <h1>{summary}</h1>
      <p class="api-path">
        <span class="api-method">GET</span> <code>{path}</code>
      </p>
      {description !== undefined && <MarkedBlocks text={description} />}
      <TryIt {...data} baseUrl={site.baseUrl} />
      {fields.length > 0 && (
        <section>
          <h2 id="fields">{api.fields}</h2>
          <FieldList fields={fields} />
        </section>
      )}
      <ResponseList responses={responses} />
    </>
  )
}
