/** The methods of a route, as the header Allow lists them (RFC 9110 10.2.1). */
export const allowedMethods = ({ accepts }: { readonly accepts?: unknown }): string =>
  accepts === undefined ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'

/** Cross-origin access (Fetch standard 3.2): any page may read the data and these of its headers. */
const CORS = [
  ...['access-control-allow-origin', '*'],
  'access-control-expose-headers',
  'Accept-Ranges, Content-Disposition, Content-Range, Repr-Digest, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Ignored-Parameters, Server-Timing, Synthetic-Data',
]

/**
 * The security and CORS headers, as names in lower case alternating with values. Any site may embed the data.
 * Strict-Transport-Security is left to the proxy that terminates TLS, since the service itself speaks plain HTTP.
 */
const securityHeaders = (policy: string, framing = ['x-frame-options', 'SAMEORIGIN']): readonly string[] => [
  ...['content-security-policy', policy],
  ...['cross-origin-opener-policy', 'same-origin', 'cross-origin-resource-policy', 'cross-origin'],
  ...['origin-agent-cluster', '?1', 'referrer-policy', 'no-referrer', 'x-content-type-options', 'nosniff'],
  ...['x-dns-prefetch-control', 'off', 'x-download-options', 'noopen', ...framing],
  ...['x-permitted-cross-domain-policies', 'none', 'x-xss-protection', '0'],
  ...CORS,
]

const PAGE_POLICY =
  "default-src 'none';style-src 'self';img-src 'self' data:;base-uri 'none';form-action 'none';frame-ancestors 'none'"

/** The headers of every response but preflights: data and pages run no script. */
export const DEFAULT_HEADERS: readonly string[] = Object.freeze(securityHeaders(PAGE_POLICY))

/**
 * The same for the pages of the explorer. Their scripts and workers are files of this service, their forms go to it, and
 * scripts may make images. Images may also come from one other origin, such as a server of map tiles.
 */
export const explorerHeaders = (imageOrigin?: string): readonly string[] =>
  Object.freeze(
    securityHeaders(
      `default-src 'none';script-src 'self';style-src 'self';img-src ${["'self' data: blob:", imageOrigin].filter(Boolean).join(' ')};connect-src 'self';manifest-src 'self';worker-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'`,
    ),
  )

/**
 * The same for the pages that any site may show in a frame, with no forms and no images of others. A site that is isolated from
 * other origins shows only frames with an embedder policy (HTML living standard 7.1.4).
 */
export const EMBED_HEADERS: readonly string[] = Object.freeze(
  securityHeaders(
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors *",
    ['cross-origin-embedder-policy', 'require-corp'],
  ),
)

/** The headers of a response to OPTIONS (RFC 9110 9.3.7). Browsers cache a preflight for a day. */
export function preflightHeaders(requestedHeaders: string | undefined, methods: string): readonly string[] {
  return [
    ...['allow', methods, ...CORS, 'access-control-allow-methods', methods],
    ...['vary', 'Access-Control-Request-Headers', 'access-control-max-age', '86400', 'content-length', '0'],
    ...(requestedHeaders === undefined ? [] : ['access-control-allow-headers', requestedHeaders]),
  ]
}
