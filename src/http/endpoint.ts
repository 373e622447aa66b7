import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { TSchema } from 'typebox'
import { requireAcceptable } from './accept.ts'
import { reportIgnored } from './ignored-parameters.ts'
import { referToNamed } from './named-schemas.ts'
import { type Parameters, readQuery, schemaOf, type ValuesOf } from './parameters.ts'
import type { Representation } from './representation.ts'
import { respond } from './respond.ts'

/** One address of the service: how it is documented, what it takes, and how it answers. */
export interface Endpoint<P extends Parameters> {
  readonly path: string
  /** Another address that answers the same. */
  readonly alias?: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly parameters: P
  /** Schema of the variable parts of the path. */
  readonly params?: TSchema
  readonly response: TSchema
  /** Problems it may answer besides those that every endpoint may. */
  readonly problems?: readonly number[]
  readonly onRequest?: onRequestHookHandler
  readonly answer: (request: EndpointRequest<P>) => Representation | Promise<Representation>
}

export interface EndpointRequest<P extends Parameters> {
  readonly query: ValuesOf<P>
  /** The query in the one form that all equal queries share. */
  readonly canonical: string
  readonly params: Readonly<Record<string, string>>
  readonly path: string
}

/** Adds an endpoint to the app, with HEAD beside GET. */
export function addEndpoint<P extends Parameters>(app: FastifyInstance, endpoint: Endpoint<P>): void {
  const addresses = endpoint.alias === undefined ? [endpoint.path] : [endpoint.path, endpoint.alias]
  for (const path of addresses) {
    app.route({
      method: 'GET',
      url: path,
      schema: documentation(app, endpoint, path),
      ...(endpoint.onRequest ? { onRequest: endpoint.onRequest } : {}),
      handler: async (request, reply) => {
        requireAcceptable(request.headers.accept, ['application/json'])
        const { values, canonical, ignored } = readQuery(endpoint.parameters, queryStringOf(request))
        reportIgnored(request, reply, ignored, Object.keys(endpoint.parameters))
        const params = request.params as Record<string, string>
        return respond(request, reply, await endpoint.answer({ query: values, canonical, params, path }))
      },
    })
  }
}

function queryStringOf(request: FastifyRequest): string {
  const at = request.url.indexOf('?')
  return at < 0 ? '' : request.url.slice(at + 1)
}

function documentation<P extends Parameters>(app: FastifyInstance, endpoint: Endpoint<P>, path: string) {
  const isAlias = path === endpoint.alias
  return {
    operationId: isAlias ? `${endpoint.operationId}Alias` : endpoint.operationId,
    tags: [endpoint.tag],
    summary: isAlias ? `${endpoint.summary} (the same as ${endpoint.path})` : endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    querystring: schemaOf(endpoint.parameters),
    ...(endpoint.params === undefined ? {} : { params: endpoint.params }),
    response: { 200: referToNamed(app, { description: endpoint.summary, ...endpoint.response }) },
    problems: endpoint.problems ?? [],
  }
}
