import type { Operation } from '../../http/routing/operation.ts'
import type { Route } from '../../http/routing/router.ts'
import { isObject } from '../../values/values.ts'
import type { Arguments, inputSchema } from './arguments.ts'

type Json = Record<string, unknown>

/** A question that agents may ask. It asks the service's own endpoints, and nothing else. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Made once a release: the values that are allowed may change with it. */
  readonly input: () => ReturnType<typeof inputSchema>
  /** Throws problems. */
  readonly call: (sent: Arguments, ask: Ask) => Promise<ToolFindings>
}

/** Requests a path of the service and returns its JSON. Throws problems. */
export type Ask = (path: string) => Promise<Json>

/** What a tool has found. */
export interface ToolFindings {
  /** The datasets that it is from. */
  readonly datasets: readonly string[]
  /** A list under `results`, which is cut where it is too long, and what else there is to say. */
  readonly data: Json & { readonly results: readonly unknown[] }
  /** How many entries there are in all, where that is known. */
  readonly total?: number
  /** True where there are more than were asked for, and nobody knows how many. */
  readonly hasMore?: boolean
}

/** The list in a response of the service. */
export const resultsOf = ({ results }: Json): Json[] => [results].flat().filter(isObject)

/** An endpoint as a tool asks it. */
export interface Asked {
  readonly path: string
  readonly tag: string
  readonly parameters: Operation['parameters']
}

/** The endpoint of an operation; undefined where the service has none. */
export function endpointOf(routes: readonly Route[], operationId: string): Asked | undefined {
  const route = routes.find(({ operation }) => operation?.operationId === operationId)
  return route?.operation && { path: route.path, ...route.operation }
}

/** Joins a path and its query. */
export const address = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`)
