import type { FastifyInstance } from 'fastify'

/**
 * Replaces each schema that has an `$id` by a reference to it, and makes it known to the app, so that OpenAPI names it
 * as a component instead of writing it out at every use.
 */
export function referToNamed(app: FastifyInstance, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(part => referToNamed(app, part))
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(answered(schema)).map(([key, part]) => [key, referToNamed(app, part)])
  const resolved = Object.fromEntries(parts)
  const id = '$id' in schema ? schema.$id : undefined
  if (typeof id !== 'string') return resolved
  if (app.getSchema(id) === undefined) app.addSchema(resolved)
  return { $ref: `${id}#` }
}

/** A record's default says what a blank in a source becomes. In an answer every field is there, so it would mislead. */
function answered(schema: object): object {
  const { default: _default, ...rest } = schema as { default?: unknown; type?: unknown }
  const isSchema = typeof rest.type === 'string' || Array.isArray(rest.type)
  return isSchema ? rest : schema
}
