import { api } from '../../../texts/en/api.ts'
import { text } from '../../../texts/text.ts'
import { grouped } from '../../../words/numbers.ts'
import { typeOf } from '../fields.ts'
import type { OpenApi, Parameter } from '../openapi.ts'

/** A parameter as the form asks for it. */
export interface Input {
  readonly in: string
  readonly name: string
  readonly isRequired: boolean
  readonly description: string
  readonly type: string
  /** The allowed values, if there is a list of them. */
  readonly allowed: readonly string[]
  /** True if the parameter takes several values, separated by commas. */
  readonly isList: boolean
  readonly default: string | undefined
  /** Limits as a sentence: `From 1 to 1,000.` */
  readonly limits: string | undefined
  readonly placeholder: string | undefined
}

/** Gives the input of a parameter. */
export function inputOf(document: OpenApi, parameter: Parameter): Input {
  const { in: place, name, required = false, description = '', schema = {}, example } = parameter
  const { items, minimum, maximum, default: standard, format } = schema
  const isBoolean = schema.type === 'boolean'
  return {
    ...{ in: place, name, isRequired: required, description, type: typeOf(schema, document) },
    allowed: isBoolean ? ['true', 'false'] : ((items ?? schema).enum ?? []).map(String),
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
