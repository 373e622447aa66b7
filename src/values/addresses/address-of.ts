/**
 * Makes the address of one of the service's paths, in the service, its pages and the service worker alike. The base is the public
 * address, or its path alone for an address relative to the host. An address that names its own host stays as it is.
 */
export const addressOf = (base: string, path: string): string => (path.startsWith('/') ? base + path : path)

/** The path in a public base address, without a slash at its end: `/open-data`, or empty. A proxy strips it from requests. */
export const basePathOf = (baseUrl: string): string =>
  baseUrl === '' ? '' : new URL(baseUrl).pathname.replace(/\/$/, '')

/** Whether a path is one of the pages that any site may show in a frame: `/embed/parking`, or in another language. */
export const isEmbed = (path: string): boolean => /^(\/[a-z]{2})?\/embed\//.test(path)

/**
 * Makes addresses relative to the host. Only the path of the base matters: a listener's address has no path and may
 * become known later.
 */
export function relativeAddress(baseUrl: string): (path: string) => string {
  const basePath = basePathOf(baseUrl)
  return path => addressOf(basePath, path)
}
