import { hash } from 'node:crypto'
import type { Release } from '../../store/store.ts'
import { VERSION } from '../../version.ts'

/** What an endpoint answers, before the rules of HTTP are applied to it. */
export interface Representation {
  /** The strong validator without quotes: another body at the same address always has another tag. */
  readonly tag: string
  readonly lastModified: Date
  /** Seconds for which the answer may be kept. */
  readonly maxAge: number
  /** Seconds for which a kept answer may be given out while the service is failing. */
  readonly staleIfError: number
  /** True if any of it is of the synthetic island. */
  readonly synthetic: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** The media type; JSON where it is not said. */
  readonly type?: string
  /** The same Buffer is compressed only once. */
  readonly body: Buffer
}

const DAY_S = 86_400

/** A representation made from one release and a key that tells it from the others made from it. */
export function fromRelease(
  release: Release,
  maxAge: number,
  part: { key: string; headers?: Record<string, string>; body: Buffer },
): Representation {
  const { tag, lastModified } = aboutRelease(release)
  return {
    tag: tag + fingerprint(part.key),
    lastModified,
    maxAge,
    staleIfError: DAY_S,
    synthetic: release.synthetic,
    ...part,
  }
}

/** What all representations of a release share. */
interface AboutRelease {
  readonly tag: string
  readonly lastModified: Date
}
const known = new WeakMap<Release, AboutRelease>()

function aboutRelease(release: Release): AboutRelease {
  let about = known.get(release)
  if (about === undefined) {
    const lastModified = new Date(release.currentSince ?? release.publishedAt)
    about = { tag: tagOf(release.hash), lastModified }
    known.set(release, about)
  }
  return about
}

/**
 * Eight characters or so that tell apart the keys of one release. A tag is only ever compared with others of the same
 * address, so that two addresses may share one; FNV-1a is enough for that, and takes a tenth of SHA-256's time.
 */
function fingerprint(key: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return `.${(hash >>> 0).toString(36)}`
}

/** A tag of everything that the body depends on; the service's version stands for its code. */
export function tagOf(...parts: readonly string[]): string {
  return hash('sha256', [VERSION, ...parts].join('\n'), 'base64url').slice(0, 22)
}
