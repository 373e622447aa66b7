import type { TSchema } from 'typebox'
import type { Metadata } from '../../datasets/metadata.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { aboutEntries, type CatalogueEntry } from '../catalogue/entry.ts'
import { FORMAT } from './parameters.ts'

/** What the documents are made from. */
export interface OgcOptions {
  /** The public base address, without a trailing slash. */
  readonly baseUrl: () => string
  readonly describe: () => readonly CatalogueEntry[]
  readonly metadata: Metadata
  readonly startedAt: Date
}

interface Document<T> {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly response: TSchema
  readonly mediaType?: string
  readonly make: () => T
}

/** Adds an endpoint for a document about the features, which changes when a release does. */
export function addDocument<T>(
  router: Router,
  { describe, startedAt }: OgcOptions,
  { make, ...document }: Document<T>,
): void {
  const render = serialiser(document.response)
  addEndpoint(router, {
    ...document,
    tag: 'ogc',
    parameters: FORMAT,
    refusesUnknown: true,
    respond() {
      const body = render(make())
      return { ...aboutEntries(describe(), startedAt), body }
    },
  })
}
