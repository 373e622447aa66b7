import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'

/** Compiles a schema into a function that writes values as JSON: the fields of the schema, in its order, and no others. */
export function serialiser(schema: TSchema): (value: unknown) => Buffer {
  // `$id` is for OpenAPI's component names; the compiler would register it.
  const stringify = fastJsonStringify(withoutIds(schema) as fastJsonStringify.AnySchema)
  return value => Buffer.from(stringify(value))
}

function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id')
      .map(([key, value]) => [key, withoutIds(value)]),
  )
}
