/**
 * The Cache-Control of a response (RFC 9111 5.2.2, RFC 5861): the same lifetime for shared and private caches, which may
 * serve a stale response while the service fails.
 */
export function cacheControl(response: { maxAge: number; staleIfError: number }): string {
  return `public, max-age=${response.maxAge}, s-maxage=${response.maxAge}, stale-if-error=${response.staleIfError}`
}
