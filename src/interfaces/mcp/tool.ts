import {
  invalidParameters,
  type Parameters,
  queryReader,
  reportUnknownParameters,
} from '../../http/parameters.ts'
import type { Operation, Route } from '../../http/router.ts'
import { isObject, valueSchema } from '../../values/values.ts'

/** The arguments of a tool call, as the agent sends them. */
export type Arguments = Readonly<Record<string, unknown>>

/** The JSON Schema of a tool's arguments, from the parameters that take them. */
export function inputSchema({ parameters, required = [] }: Pick<Tool, 'parameters' | 'required'>) {
  const properties = Object.entries(parameters).map(([name, each]) => [name, valueSchema(each)])
  return {
    type: 'object' as const,
    properties: Object.fromEntries(properties),
    required: [...required],
    additionalProperties: false,
  }
}

/** Calls a tool. The arguments are read, and refused, like the query parameters of an endpoint. */
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

/** Arguments as a query; null counts as not sent. */
function queryOf(sent: Arguments): URLSearchParams {
  const given = Object.entries(sent).filter(([, value]) => value !== null)
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, textOf(value)]))
}

/**
 * The items of lists are joined by commas. Objects become JSON, since an object from a client may have no text:
 * `{"toString":1}`.
 */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join()
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

type Json = Record<string, unknown>

/** A question that agents may ask. A tool requests only the service's own endpoints. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Read once a release, since the allowed values of a parameter may change with the release. */
  readonly parameters: Parameters
  /** The names of the parameters that a call must have. */
  readonly required?: readonly string[]
  /** The parameters of a call, if they depend on the arguments; by default `parameters`. */
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

/** The result of a tool. */
export interface ToolFindings {
  /** The datasets that the result is from. */
  readonly datasets: readonly string[]
  /** A list under `results`, which is cut if it is too long, and any other members. */
  readonly data: Json & { readonly results: readonly unknown[] }
  /** The total number of entries, if known. */
  readonly total?: number | undefined
  /** True if there are more entries than requested, but their number is unknown. */
  readonly hasMore?: boolean
}

/** The list in a response of the service. */
export const resultsOf = ({ results }: Json): Json[] => [results].flat().filter(isObject)

/** Some of the members of an object, in this order. */
export const pick = (from: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, from[name]]))

/** An endpoint as a tool requests it. */
export type Asked = Pick<Route, 'path'> & Pick<Operation, 'parameters'>

/** The endpoint of an operation; undefined if the service lacks the operation. */
export function endpointOf(routes: readonly Route[], operationId: string): Asked | undefined {
  const route = routes.find(({ operation }) => operation?.operationId === operationId)
  return route?.operation && { path: route.path, ...route.operation }
}
