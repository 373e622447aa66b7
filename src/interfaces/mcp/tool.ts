import {
  invalidParameters,
  type Parameters,
  queryReader,
  reportUnknownParameters,
} from '../../http/request/parameters.ts'
import type { Operation } from '../../http/routing/operation.ts'
import type { Route } from '../../http/routing/router.ts'
import { isObject } from '../../values/values.ts'

/** The arguments of a tool call, as the agent sends them. */
export type Arguments = Readonly<Record<string, unknown>>

/** The JSON Schema of a tool's arguments, from the parameters that take them. */
export function inputSchema({ parameters, required = [] }: Pick<Tool, 'parameters' | 'required'>) {
  const properties = Object.entries(parameters).map(
    ([name, { type, description, default: value }]): [string, object] => [
      name,
      { ...type.schema, description, ...(value === undefined ? {} : { default: value }) },
    ],
  )
  return {
    type: 'object' as const,
    properties: Object.fromEntries(properties),
    required: [...required],
    additionalProperties: false,
  }
}

/** Asks a question; the arguments are read as parameters of a query, and refused as an endpoint refuses those. */
export async function callTool(tool: Tool, sent: Arguments, ask: Ask): Promise<ToolFindings> {
  const { required = [], takes = () => tool.parameters } = tool
  const parameters = takes(sent)
  // An empty text or list counts as not sent, as in a query.
  const missing = required.filter(name => textOf(sent[name]) === '')
  if (missing.length > 0)
    throw invalidParameters(
      missing.map(parameter => ({
        parameter,
        detail: 'is required',
        allowed: parameters[parameter]?.type.allowed ?? 'a value',
      })),
    )
  const { values, canonical, unknown } = queryReader(parameters)(String(queryOf(sent)))
  reportUnknownParameters({ headers: {}, responseHeaders: [] }, unknown, Object.keys(parameters), true)
  return tool.call({ values, query: new URLSearchParams(canonical) }, ask)
}

/** Arguments as a query; null is no argument. */
function queryOf(sent: Arguments): URLSearchParams {
  const given = Object.entries(sent).filter(([, value]) => value !== null)
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, textOf(value)]))
}

/** The items of lists are separated by commas. An object of a client may have no text: `{"toString":1}`. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join()
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

type Json = Record<string, unknown>

/** A question that agents may ask. It asks the service's own endpoints, and nothing else. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Read once a release, since the values that a parameter allows may change with it. */
  readonly parameters: Parameters
  /** The names of the parameters that a call must have. */
  readonly required?: readonly string[]
  /** The parameters of a call, where they depend on the arguments; absent, they are `parameters`. */
  readonly takes?: (sent: Arguments) => Parameters
  /** Throws problems. */
  readonly call: (given: Given, ask: Ask) => Promise<ToolFindings>
}

/** The values of a tool's parameters, and the same as a query in its canonical form. */
interface Given {
  readonly values: Json
  readonly query: URLSearchParams
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

/** Some of the members of an object, in this order. */
export const pick = (from: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, from[name]]))

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
