import type { TSchema } from 'typebox'
import { chain, type MaybePromise } from '../../values/maybe-promise.ts'
import { limitRate } from '../protection/rate-limit.ts'
import { JSON_TYPE, requireAcceptable } from '../request/accept.ts'
import { type Parameters, queryReader, schemaOf, type ValuesOf } from '../request/parameters.ts'
import { pathOf, queryStringOf } from '../request/query-string.ts'
import { reportIgnored } from '../request/unknown-parameters.ts'
import { sendable } from '../response/outcome.ts'
import type { Representation } from '../response/representation.ts'
import { send } from '../response/send.ts'
import { throwKeptFailure } from './failed-questions.ts'
import { referToNamed } from './named-schemas.ts'
import type { Router } from './router.ts'
import type { Address } from './switchboard.ts'

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
  /** Other media types of answers, with what each is. */
  readonly otherTypes?: Readonly<Record<string, string>>
  /** Problems it may answer besides those that every endpoint may. */
  readonly problems?: readonly number[]
  /** Requests per hour and client; 0 or absent = no limit. */
  readonly requestsPerHour?: number
  /**
   * Tells by identity (`===`) everything that answers depend on besides the request: as long as it gives the same,
   * answers may be kept and given again. Without it none is kept.
   */
  readonly cacheVersion?: () => unknown
  /** True where an answer costs far more than its sending: kept within the operator's bound, and let in by admission. */
  readonly expensive?: boolean
  readonly respond: (request: EndpointRequest<P>) => MaybePromise<Representation>
}

export interface EndpointRequest<P extends Parameters> {
  readonly query: ValuesOf<P>
  /** The query in the one form that all equal queries share. */
  readonly canonical: string
  readonly params: Readonly<Record<string, string>>
  /** The path that the endpoint is declared with. */
  readonly path: string
}

/** Adds an endpoint to the app, with HEAD beside GET. */
export function addEndpoint<P extends Parameters>(app: Router, endpoint: Endpoint<P>): void {
  const paths = endpoint.alias === undefined ? [endpoint.path] : [endpoint.path, endpoint.alias]
  const types = [JSON_TYPE, ...Object.keys(endpoint.otherTypes ?? {})]
  const limit = limitRate(app, { perHour: endpoint.requestsPerHour ?? 0 })
  for (const path of paths) {
    const address = addressOf(app, endpoint, path)
    app.switchboard.add(address)
    app.route({
      method: 'GET',
      url: path,
      schema: documentation(app, endpoint, path),
      ...(limit === undefined ? {} : { onRequest: limit }),
      handler: async (request, reply) => {
        requireAcceptable(request.headers.accept, ...types)
        if (address.isOpen) app.switchboard.learnCommonHeaders(reply)
        const asked = address.ask(request.url, request.params as Record<string, string>)
        reportIgnored(request, reply, asked.ignored, Object.keys(endpoint.parameters))
        throwKeptFailure(request.raw)
        const answer = await asked.answer()
        requireAcceptable(request.headers.accept, answer.type)
        return send(reply, await answer.outcome(request.headers))
      },
    })
  }
}

const isLimited = ({ requestsPerHour = 0 }: { requestsPerHour?: number }) => requestsPerHour > 0

function addressOf<P extends Parameters>(app: Router, endpoint: Endpoint<P>, path: string): Address {
  const { cacheVersion: version, expensive: costly = false } = endpoint
  const { admission, costlyAnswers, cheapAnswers } = app.switchboard
  const answers = costly ? costlyAnswers : cheapAnswers
  const read = queryReader(endpoint.parameters)
  return {
    path,
    tag: endpoint.tag,
    isOpen: !isLimited(endpoint),
    answers,
    ask(url, params) {
      const { values, canonical, ignored } = read(queryStringOf(url))
      const work = () => endpoint.respond({ query: values, canonical, params, path })
      const make = costly ? () => admission.run(work) : work
      if (version === undefined) return { ignored, answer: () => chain(make(), sendable) }
      const key = canonical === '' ? pathOf(url) : `${pathOf(url)}?${canonical}`
      return { ignored, key, answer: () => answers.obtain(key, version, make) }
    },
  }
}

function documentation<P extends Parameters>(app: Router, endpoint: Endpoint<P>, path: string) {
  const isAlias = path === endpoint.alias
  return {
    operationId: isAlias ? `${endpoint.operationId}Alias` : endpoint.operationId,
    tags: [endpoint.tag],
    summary: isAlias ? `${endpoint.summary} (the same as ${endpoint.path})` : endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    querystring: schemaOf(endpoint.parameters),
    ...(endpoint.params === undefined ? {} : { params: endpoint.params }),
    response: { 200: success(app, endpoint) },
    problems: endpoint.problems ?? [],
  }
}

function success<P extends Parameters>(app: Router, { summary, response, otherTypes }: Endpoint<P>) {
  if (otherTypes === undefined) return referToNamed(app, { description: summary, ...response })
  const others = Object.entries(otherTypes).map(([type, description]) => [
    type,
    { schema: { type: 'string', description } },
  ])
  const content = { [JSON_TYPE]: { schema: referToNamed(app, response) }, ...Object.fromEntries(others) }
  return { description: summary, content }
}
