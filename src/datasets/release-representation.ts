import { type Representation, tagOf } from '../http/representation.ts'
import { DAY_S } from '../values/time-units.ts'

/** The properties of a release that determine validators and headers. */
export interface ReleaseInfo {
  readonly hash: string
  readonly publishedAt: string
  readonly currentSince?: string | null
  readonly synthetic: boolean
}

/** The properties of a representation made from one release. `key` distinguishes the representations of a release. */
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
 * About eight characters that distinguish the keys of one release. Clients compare only tags of the same URL, so a
 * collision between two URLs is harmless. FNV-1a is enough, at a tenth of SHA-256's time.
 */
function fingerprint(key: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return `.${(hash >>> 0).toString(36)}`
}
