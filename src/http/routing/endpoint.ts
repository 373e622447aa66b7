import type { TSchema } from 'typebox'
import { JSON_TYPE } from '../request/accept.ts'
import type { Parameters } from '../request/parameters.ts'
import type { Endpoint } from './declaration.ts'
import { endpointHandler } from './endpoint-handler.ts'
import type { Operation } from './operation.ts'
import type { Router } from './router.ts'

/** Adds an endpoint, with HEAD beside GET. */
export function addEndpoint<P extends Parameters>(router: Router, endpoint: Endpoint<P>): void {
  const paths = endpoint.alias === undefined ? [endpoint.path] : [endpoint.path, endpoint.alias]
  for (const path of paths) {
    const { handle, warm } = endpointHandler(router.shared, endpoint, path)
    router.add({
      path,
      tag: endpoint.tag,
      requestsPerHour: endpoint.requestsPerHour ?? 0,
      operation: operationOf(endpoint, path),
      handle,
      warm,
    })
  }
}

function operationOf<P extends Parameters>(endpoint: Endpoint<P>, path: string): Operation {
  const { operationId, tag, summary, description, parameters, params, problems = [] } = endpoint
  const isAlias = path === endpoint.alias
  return {
    operationId: isAlias ? `${operationId}Alias` : operationId,
    tag,
    summary: isAlias ? `${summary} (the same as ${endpoint.path})` : summary,
    parameters,
    problems,
    isConditional: true,
    content: contentOf(endpoint),
    ...(description === undefined ? {} : { description }),
    ...(params === undefined ? {} : { params }),
  }
}

function contentOf<P extends Parameters>({ summary, response, otherTypes }: Endpoint<P>) {
  if (otherTypes === undefined) return { [JSON_TYPE]: { description: summary, ...response } }
  const others = Object.entries(otherTypes).map(([type, description]): [string, TSchema] => [
    type,
    { type: 'string', description },
  ])
  return { [JSON_TYPE]: response, ...Object.fromEntries(others) }
}
