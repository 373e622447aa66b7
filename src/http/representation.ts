import { hash } from 'node:crypto'
import type { Release } from '../store/store.ts'
import { VERSION } from '../version.ts'

/** What an endpoint answers, before the rules of HTTP are applied to it. */
export interface Representation {
  /** The strong validator without quotes: another body always has another tag. */
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
  return {
    tag: tagOf(release.hash, part.key),
    lastModified: new Date(release.currentSince ?? release.publishedAt),
    maxAge,
    staleIfError: DAY_S,
    synthetic: release.synthetic,
    ...part,
  }
}

/** A tag of everything that the body depends on; the service's version stands for its code. */
export function tagOf(...parts: readonly string[]): string {
  return hash('sha256', [VERSION, ...parts].join('\n'), 'base64url').slice(0, 22)
}
