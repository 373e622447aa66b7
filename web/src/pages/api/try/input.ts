import { api } from '../../../texts/en/api.ts'
import { text } from '../../../texts/text.ts'
import { grouped } from '../../../words/numbers.ts'
import { typeOf } from '../fields.ts'
import type { OpenApi, Parameter } from '../openapi.ts'

/** A parameter as the form asks for it. */
export type Input = ReturnType<typeof inputOf>

/** Gives the input of a parameter. */
export function inputOf(document: OpenApi, parameter: Parameter) {
  const { in: place, name, required = false, description = '', schema = {}, example } = parameter
  const listed = schema.anyOf?.find(({ items }) => items !== undefined) ?? schema
  const { items, minimum, maximum, default: standard, format } = listed
  const isBoolean = schema.type === 'boolean'
  return {
    ...{ in: place, name, isRequired: required, description, type: typeOf(schema, document) },
    allowed: isBoolean ? ['true', 'false'] : ((items ?? schema).enum ?? []).map(String),
    // It takes several values, separated by commas.
    isList: items !== undefined,
    default: standard === undefined ? undefined : String(standard),
    limits: limitsOf(minimum, maximum),
    placeholder: example === undefined ? (format === 'date' ? 'YYYY-MM-DD' : undefined) : String(example),
  }
}

function limitsOf(minimum: number | undefined, maximum: number | undefined): string | undefined {
  if (minimum !== undefined && maximum !== undefined)
    return text(api.between, { minimum: grouped(minimum), maximum: grouped(maximum) })
  if (minimum !== undefined) return text(api.atLeast, { minimum: grouped(minimum) })
  return maximum === undefined ? undefined : text(api.atMost, { maximum: grouped(maximum) })
}
