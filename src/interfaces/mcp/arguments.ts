import {
  invalidParameters,
  type Parameters,
  queryReader,
  reportUnknownParameters,
} from '../../http/request/parameters.ts'

/** The arguments of a tool call, as the agent sends them. */
export type Arguments = Readonly<Record<string, unknown>>

/** The JSON Schema of a tool's arguments, from the parameters that take them. */
export function inputSchema(parameters: Parameters, required: readonly string[]) {
  const properties = Object.entries(parameters).map(([name, { type, description, default: value }]) => [
    name,
    { ...type.schema, description, ...(value === undefined ? {} : { default: value }) },
  ])
  return {
    type: 'object' as const,
    properties: Object.fromEntries(properties) as Record<string, object>,
    required: [...required],
    additionalProperties: false,
  }
}

/**
 * Reads arguments as parameters of a query. Returns their canonical form; throws INVALID_PARAMETER and UNKNOWN_PARAMETER as an
 * endpoint does.
 */
export function readArguments(parameters: Parameters, sent: Arguments, required: readonly string[] = []) {
  // An empty text or list counts as not sent, as in a query.
  const missing = required.filter(name => String(sent[name] ?? '') === '')
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
  return { values: values as Readonly<Record<string, unknown>>, canonical }
}

/** Arguments as a query: lists are separated by commas, and null is no argument. */
function queryOf(sent: Arguments): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(sent))
    if (value !== null && value !== undefined)
      query.set(
        name,
        typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value),
      )
  return query
}
