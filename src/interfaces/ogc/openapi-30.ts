import type { Route } from '../../http/routing/router.ts'
import { isObject } from '../../values/values.ts'
import { openApi } from '../rest/openapi.ts'
import type { OgcOptions } from './documents.ts'

const ABOUT = `The datasets of places as OGC API - Features Part 1: Core (OGC 17-069r4).

Positions are longitude and latitude (CRS84). Unknown parameters are an error, as the standard requires.`

/** Documents routes as OpenAPI 3.0, which the standard's conformance class `oas30` requires. */
export function openApi30(
  routes: readonly Route[],
  { baseUrl, metadata }: Pick<OgcOptions, 'baseUrl' | 'metadata'>,
): object {
  const {
    info,
    tags: _tags,
    ...document
  } = openApi(routes, {
    ...{ datasets: [], metadata, synthetic: false, baseUrl: baseUrl() || '/' },
  })
  const { summary: _summary, ...about } = isObject(info) ? info : {}
  return {
    ...Object(downgraded(document)),
    openapi: '3.0.3',
    info: { ...about, description: ABOUT },
  }
}

/** Writes what OpenAPI 3.1 says in the words of 3.0: `nullable` in place of the type null, `example` in place of `examples`. */
function downgraded(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(downgraded)
  if (!isObject(node)) return node
  const { type, examples, ...others } = node
  return {
    ...(type !== undefined && typeIn30(type)),
    ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    ...Object.fromEntries(Object.entries(others).map(([key, part]) => [key, downgraded(part)])),
  }
}

/** A property named `type` has a schema, which is not changed into a type. */
function typeIn30(type: unknown): object {
  if (!Array.isArray(type)) return { type: downgraded(type) }
  const [named] = type.filter(name => name !== 'null')
  return { type: named, ...(type.includes('null') && { nullable: true }) }
}
