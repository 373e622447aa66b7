import { api } from '../../texts/en/api.ts'
import { text } from '../../texts/text.ts'
import { ALTERNATIVES } from '../../words/lists.ts'
import { type OpenApi, resolved, type Schema } from './openapi.ts'

/** A member of a response in words. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly description: string
  readonly unit?: string | null | undefined
  readonly example?: string | undefined
  readonly values: readonly { readonly value: string; readonly meaning?: string | null | undefined }[]
  /** True if the publisher may add values. */
  readonly isOpen?: boolean
  readonly fields: readonly Field[]
}

/** No response is deeper. A schema that refers to itself ends here. */
const MAX_DEPTH = 8

/** Gives the members that a schema describes. The members of a list are the members of its items. */
export function describedFields(document: OpenApi, schema: Schema | undefined, depth = 0): readonly Field[] {
  if (schema === undefined || depth > MAX_DEPTH) return []
  const found = resolved(document.components.schemas, schema)
  const { properties, required = [], items, additionalProperties } = found
  if (items !== undefined) return describedFields(document, items, depth)
  const alternatives = found.anyOf ?? found.oneOf
  if (properties === undefined && alternatives !== undefined)
    return [
      ...new Map(
        alternatives.flatMap(each =>
          describedFields(document, each, depth).map(field => [field.name, field] as const),
        ),
      ).values(),
    ]
  const others: readonly [string, Schema][] =
    typeof additionalProperties === 'object' ? [[api.anyName, additionalProperties]] : []
  return [...Object.entries(properties ?? {}), ...others].map(([name, member]) => ({
    ...fieldOf(document, member, depth + 1),
    ...{ name, isOptional: !required.includes(name) },
  }))
}

function fieldOf(document: OpenApi, schema: Schema, depth: number): Omit<Field, 'name' | 'isOptional'> {
  const member = {
    ...resolved(document.components.schemas, schema),
    ...(schema.description && { description: schema.description }),
  }
  const { description = '', examples, items } = member
  const valued = items === undefined ? member : resolved(document.components.schemas, items)
  const meanings = valued['x-enumDescriptions'] ?? {}
  return {
    ...{ description, type: typeOf(member, document), unit: member['x-unit'] },
    example: examples?.[0] === undefined ? undefined : JSON.stringify(examples[0]),
    values: (valued.enum ?? []).map(value => ({ value: String(value), meaning: meanings[String(value)] })),
    fields: describedFields(document, member, depth),
  }
}

/** The type of a value in words: `list of text`, `whole number or null`. */
export function typeOf(schema: Schema, document?: OpenApi): string {
  const { type, format, items, anyOf, oneOf, const: only } = resolved(document?.components.schemas, schema)
  if (only !== undefined) return JSON.stringify(only)
  if (items !== undefined) return text(api.listOf, { types: manyOf(typeOf(items, document)) })
  if (type === undefined) {
    const alternatives = [...new Set((anyOf ?? oneOf ?? []).map(each => typeOf(each, document)))]
    return ALTERNATIVES.format(alternatives) || api.types.any.one
  }
  const types = typeof type === 'string' ? [type] : type
  return ALTERNATIVES.format(
    types.map(each => (each === 'string' ? (FORMATS[format ?? ''] ?? TEXT) : TYPES[each])?.one ?? each),
  )
}

const manyOf = (type: string) => Object.values(api.types).find(({ one }) => one === type)?.many ?? type

interface TypeNames {
  readonly one: string
  readonly many: string
}

const TYPES: Readonly<Record<string, TypeNames>> = api.types

const { text: TEXT, date, time, uuid, address, email } = api.types

const FORMATS: Readonly<Record<string, TypeNames>> = { date, 'date-time': time, uuid, uri: address, email }
