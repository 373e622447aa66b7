import type { TSchema } from 'typebox'
import type { Parameters } from '../request/parameters.ts'

/** The OpenAPI description of a route. */
export interface Operation {
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly parameters: Parameters
  /** Schema of the variable parts of the path. */
  readonly params?: TSchema
  /** Schemas of request headers, by name. */
  readonly headers?: Readonly<Record<string, TSchema>>
  /** Schemas of the body by media type. */
  readonly content: Readonly<Record<string, TSchema>>
  /** Statuses of the problems it may respond with besides those that every endpoint may. */
  readonly problems: readonly number[]
  /** False where responses have no validators, so that none is 304. */
  readonly isConditional: boolean
}
