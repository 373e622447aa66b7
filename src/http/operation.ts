import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { essenceOf, isJson, JSON_TYPE } from './negotiation.ts'
import type { Parameters } from './parameters.ts'

/** The OpenAPI description of a route. */
export interface Operation {
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string | undefined
  readonly parameters: Parameters
  /** Parameters that many operations share; each is described once. */
  readonly shared?: Parameters
  /** Schema of the variable parts of the path. */
  readonly params?: TSchema | undefined
  /** Schemas of request headers, by name. */
  readonly headers?: Readonly<Record<string, TSchema>>
  /** Schemas of the body by media type. */
  readonly content: Readonly<Record<string, TSchema>>
  /** Statuses of the operation's problems, in addition to the ones of every endpoint. */
  readonly problems: readonly number[]
  /** False if responses have no validators, so that 304 never occurs. */
  readonly isConditional: boolean
  /** True where parts of the body can be requested by Range. */
  readonly isRanged?: true
}

/** Describes an endpoint at one of its paths. */
export function operationOf<P extends Parameters>(
  endpoint: Endpoint<P>,
  path: string,
  { parameters, shared }: Required<Pick<Operation, 'parameters' | 'shared'>>,
): Operation {
  const { operationId, tag, summary, description, params, problems = [] } = endpoint
  const isAlias = path === endpoint.alias
  return {
    operationId: isAlias ? `${operationId}Alias` : operationId,
    tag,
    summary: isAlias ? `${summary} (the same as ${endpoint.path})` : summary,
    ...{ description, parameters, shared, params },
    // Every endpoint negotiates its format.
    problems: [406, ...problems],
    isConditional: true,
    content: contentOf(endpoint),
  }
}

function contentOf<P extends Parameters>({
  summary,
  response,
  mediaType = JSON_TYPE,
  formats = [],
}: Endpoint<P>) {
  if (formats.length === 0) return { [mediaType]: { description: summary, ...response } }
  const others = formats.map((format): [string, TSchema] => [
    essenceOf(format.mediaType),
    { type: isJson(format) ? 'object' : 'string', description: format.description },
  ])
  return { [mediaType]: response, ...Object.fromEntries(others) }
}
