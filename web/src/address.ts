import { addressOf, basePathOf } from '../../src/values/addresses/address-of.ts'
import { language } from './texts/en/language.ts'

const { document, registration } = globalThis as {
  document?: { readonly documentElement: { readonly dataset: { readonly basePath?: string } } }
  registration?: { readonly scope: string }
}

let base = ''

/** The scope of a service worker ends with its language. */
const prefix = language.code === 'en' ? '' : `/${language.code}`
const scope = basePathOf(registration?.scope ?? '')

/** The path of the service's public address: a document says it to its scripts, its scope to a service worker. */
export let basePath =
  document?.documentElement.dataset.basePath ?? scope.slice(0, scope.length - prefix.length)

/** Sets the public address of the service. */
export function setBaseUrl(baseUrl: string): void {
  base = baseUrl
  basePath = basePathOf(baseUrl)
}

/** The first parts of the paths of pages that are in every language. All else is in English alone. */
const TRANSLATED = [
  ...['', 'emergency', 'search', 'parking', 'map', 'places', 'offline', 'vehicles', 'recalls', 'data'],
  ...['status', 'accessibility', 'embed'],
]

/** Whether the page at a path is in every language. */
export const isTranslated = (path: string): boolean => TRANSLATED.includes(path.split(/[/?#]/, 2)[1] ?? '')

/** The path of a page in a language. English has no prefix. */
export const pathIn = (code: string, path: string): string =>
  code !== 'en' && isTranslated(path) ? `/${code}${path}` : path

/** The language of data, of the documentation and of the words of the API, on a page in another language. */
export const dataLanguage: 'en' | undefined = language.code === 'en' ? undefined : 'en'

/** The language of a page for people, if it is not the language of this page. */
export const otherLanguage = (path: string): 'en' | undefined =>
  /^\/(docs|problems)\b/.test(path) ? dataLanguage : undefined

/** Makes the address of a path of the service, relative to the host: a page in the language of this page. */
export const to = (path: string): string => addressOf(basePath, pathIn(language.code, path))

/** Makes the whole address of a path of the service: a page in the language of this page, or in another one. */
export const absolute = (path: string, code: string = language.code): string =>
  addressOf(base, pathIn(code, path))
