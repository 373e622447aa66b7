import type { TSchema } from 'typebox'
import type { MaybePromise } from '../../values/maybe-promise.ts'
import type { Parameters, ValuesOf } from '../request/parameters.ts'
import type { Representation } from '../response/representation.ts'

/** One address of the service: how it is documented, what it takes, and what it responds with. */
export interface Endpoint<P extends Parameters> {
  readonly path: string
  /** Another address with the same responses. */
  readonly alias?: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly parameters: P
  /** Schema of the variable parts of the path. */
  readonly params?: TSchema
  /** True where upper and lower case are the same in the variable parts of the path. */
  readonly ignoresCase?: boolean
  readonly response: TSchema
  /** Other media types of responses, with what each is. */
  readonly otherTypes?: Readonly<Record<string, string>>
  /** Problems it may respond with besides those that every endpoint may. */
  readonly problems?: readonly number[]
  /** Requests per hour and client; 0 or absent = no limit. */
  readonly requestsPerHour?: number
  /**
   * Everything that responses depend on besides the request: a response is reused while this returns the same value
   * (`===`). Without it none is cached.
   */
  readonly cacheVersion?: () => unknown
  /**
   * True where making the body costs far more than sending it: `respond` then gives a function for it, which runs under
   * load shedding, and responses are cached within the operator's bound.
   */
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
