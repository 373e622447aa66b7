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

/**
 * Reads arguments as parameters of a query. Returns their canonical form; throws INVALID_PARAMETER and UNKNOWN_PARAMETER as an
 * endpoint does.
 */
export function readArguments(parameters: Parameters, sent: Arguments, required: readonly string[] = []) {
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
  const read: Readonly<Record<string, unknown>> = values
  return { values: read, canonical }
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
