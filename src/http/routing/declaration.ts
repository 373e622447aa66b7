import type { TSchema } from 'typebox'
import type { Format } from '../../values/format.ts'
import type { MaybePromise } from '../../values/promises.ts'
import type { Parameters, ValuesOf } from '../request/parameters.ts'
import type { Representation } from '../response/representation.ts'

/** The declaration of an endpoint: its documentation, parameters and response. */
export interface Endpoint<P extends Parameters> {
  readonly path: string
  /** A second path with the same responses. */
  readonly alias?: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string | undefined
  readonly parameters: P
  /** True if unknown parameters are an error whatever the request prefers. */
  readonly refusesUnknown?: boolean
  /** Schema of the variable parts of the path. */
  readonly params?: TSchema
  /** True if the variable parts of the path are case-insensitive. */
  readonly ignoresCase?: boolean
  readonly response: TSchema
  /** The media type of the response in JSON syntax, by default `application/json`. Requests for JSON get it too. */
  readonly mediaType?: string
  /** The formats of the response other than JSON. */
  readonly formats?: readonly (Format & { readonly description: string })[]
  /** Statuses of the problems of this endpoint, in addition to the ones of every endpoint. */
  readonly problems?: readonly number[]
  /** Requests per hour and client; 0 or absent = no limit. */
  readonly requestsPerHour?: number | undefined
  /** The cache version: a response is reused while this returns the same value (`===`). If absent, no response is cached. */
  readonly cacheVersion?: () => unknown
  /**
   * True if making the body costs far more than sending it. The responses then go to a separate cache, which the operator's
   * setting bounds.
   */
  readonly expensive?: boolean
  readonly respond: (request: EndpointRequest<P>) => MaybePromise<Representation>
}

export interface EndpointRequest<P extends Parameters> {
  readonly query: ValuesOf<P>
  /** The canonical form of the query. */
  readonly canonical: string
  readonly params: Readonly<Record<string, string>>
  /** The path, with the suffix that selected the format. */
  readonly path: string
  /** The name of the format: `json`, or another format of the endpoint. */
  readonly format: string
}
