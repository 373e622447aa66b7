import Type, { type TObject } from 'typebox'
import { type Representation, serialiser, tagOf } from '../http/representation.ts'
import { INCLUDE } from '../query/parameters.ts'
import { Provenance, provenanceIn } from '../query/provenance.ts'
import type { StoredRecord } from '../query/query.ts'
import type { Release } from '../store/store.ts'
import { memoise } from '../values/memoise.ts'
import { DAY_S } from '../values/time-units.ts'

/** The properties of a release that determine validators and headers. */
export type ReleaseInfo = Pick<Release, 'hash' | 'publishedAt' | 'synthetic'> &
  Partial<Pick<Release, 'currentSince'>>

const tagOfRelease = memoise((hash: string) => tagOf(hash))

/** The properties of a representation made from one release. `key` distinguishes the representations of a release. */
export const describeRelease = (
  { hash, publishedAt, currentSince, synthetic }: ReleaseInfo,
  maxAge: number,
  key: string,
): Omit<Representation, 'body'> => ({
  tag: tagOfRelease(hash) + fingerprint(key),
  lastModified: new Date(currentSince ?? publishedAt),
  maxAge,
  staleIfError: DAY_S,
  synthetic,
})

/**
 * About eight characters that distinguish the keys of one release. Clients compare only tags of the same URL, so a
 * collision between two URLs is harmless. FNV-1a is enough, at a tenth of SHA-256's time.
 */
function fingerprint(key: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return `.${(hash >>> 0).toString(36)}`
}

/** The parameters and the response of an endpoint of one record, and the function that shows a record. */
export function oneRecord(schema: TObject) {
  const told = { ...schema, properties: { ...schema.properties, provenance: Type.Optional(Provenance) } }
  const [render, renderTold] = [serialiser(schema), serialiser(told)]
  return {
    parameters: { include: INCLUDE },
    response: told,
    show(
      record: StoredRecord,
      { release }: { readonly release: Release },
      { maxAge, include }: { readonly maxAge: number; readonly include?: readonly string[] | undefined },
    ): Representation {
      const key = `record ${record.id}`
      if (include === undefined) return { ...describeRelease(release, maxAge, key), body: render(record) }
      const shown = Object.fromEntries(Object.keys(schema.properties).map(name => [name, record[name]]))
      const body = renderTold({ ...shown, provenance: provenanceIn(release)(record.id, shown) })
      // The same records may be published again with other corrections.
      return { ...describeRelease(release, maxAge, `${key} ${release.publishedAt}`), body }
    },
  }
}
