/**
 * The Cache-Control of an answer (RFC 9111 5.2.2, RFC 5861): shared caches are told as plainly as private ones, and may
 * give out a kept answer while the service fails.
 */
export function cacheControl(answer: { maxAge: number; staleIfError: number }): string {
  return `public, max-age=${answer.maxAge}, s-maxage=${answer.maxAge}, stale-if-error=${answer.staleIfError}`
}
