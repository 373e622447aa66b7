import { addressOf, basePathOf } from '../../src/values/addresses/address-of.ts'

const { document, registration } = globalThis as {
  document?: Document
  registration?: { readonly scope: string }
}

let base = ''

/** The path of the service's public address: a document says it to its scripts, its scope to a service worker. */
export let basePath = document?.documentElement.dataset.basePath ?? basePathOf(registration?.scope ?? '')

/** Sets the public address of the service. */
export function setBaseUrl(baseUrl: string): void {
  base = baseUrl
  basePath = basePathOf(baseUrl)
}

/** Makes the address of a path of the service, relative to the host. */
export const to = (path: string): string => addressOf(basePath, path)

/** Makes the whole address of a path of the service. */
export const absolute = (path: string): string => addressOf(base, path)
