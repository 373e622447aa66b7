import { hash } from 'node:crypto'
import type { MaybePromise } from '../../values/maybe-promise.ts'
import { VERSION } from '../../version.ts'

/** What an endpoint responds with, before the rules of HTTP are applied to it. */
export interface Representation {
  /**
   * The strong validator without quotes: another body at the same address always has another tag. Given, a request that
   * holds it costs no work; left out, the tag is made from the body.
   */
  readonly tag?: string
  readonly lastModified: Date
  /** Seconds for which the response may be cached. */
  readonly maxAge: number
  /** Seconds for which a cached response may be used while the service fails. */
  readonly staleIfError: number
  /** True if any of it is of the synthetic island. */
  readonly synthetic: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** The media type; JSON by default. */
  readonly type?: string
  /** The bytes, a stream of them, or the function that makes them; an expensive endpoint's runs under load shedding. */
  readonly body: Buffer | StreamedBody | (() => MaybePromise<Content>)
}

/** A body that is too large to hold; it is never cached. */
export interface StreamedBody {
  /** Starts the body. Its reader sets the pace; an error cuts the connection, so that no client takes it for whole. */
  readonly stream: () => AsyncIterable<Uint8Array>
}

/** A body, with what is known only once it is made and replaces what was said before. */
export interface Content extends Partial<Omit<Representation, 'body'>> {
  readonly body: Buffer
}

/** What a representation takes from the release that it is made from. */
export interface ReleaseInfo {
  readonly hash: string
  readonly publishedAt: string
  readonly currentSince?: string | null
  readonly synthetic: boolean
}

const DAY_S = 86_400

/** What there is to say of a representation made from one release; `key` distinguishes it from the others made from it. */
export function describeRelease(
  release: ReleaseInfo,
  maxAge: number,
  key: string,
): Omit<Representation, 'body'> {
  const { tag, lastModified } = validatorsOf(release)
  return {
    tag: tag + fingerprint(key),
    lastModified,
    maxAge,
    staleIfError: DAY_S,
    synthetic: release.synthetic,
  }
}

/** A representation made from one release. */
export const fromRelease = (
  release: ReleaseInfo,
  maxAge: number,
  { key, ...part }: { key: string; headers?: Record<string, string>; body: Representation['body'] },
): Representation => ({ ...describeRelease(release, maxAge, key), ...part })

interface Validators {
  readonly tag: string
  readonly lastModified: Date
}
const validators = new WeakMap<ReleaseInfo, Validators>()

function validatorsOf(release: ReleaseInfo): Validators {
  const known = validators.get(release)
  if (known !== undefined) return known
  const made = {
    tag: tagOf(release.hash),
    lastModified: new Date(release.currentSince ?? release.publishedAt),
  }
  validators.set(release, made)
  return made
}

/**
 * Some eight characters that distinguish the keys of one release. A tag is only compared with others of the same
 * address, so two addresses may share one; FNV-1a is enough for that, and takes a tenth of SHA-256's time.
 */
function fingerprint(key: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return `.${(hash >>> 0).toString(36)}`
}

/** A tag of everything that the body depends on; the service's version stands for its code. */
export function tagOf(...parts: readonly (string | Buffer)[]): string {
  const hashed = parts.map(part => (typeof part === 'string' ? part : hash('sha256', part)))
  return hash('sha256', [VERSION, ...hashed].join('\n'), 'base64url').slice(0, 22)
}
