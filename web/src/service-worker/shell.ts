import { basePath, to } from '../address.ts'
import { language } from '../texts/en/language.ts'

/** The files that the page for offline use loads, and their version; the build puts it here. */
declare const SHELL: { readonly version: string; readonly files: readonly string[] }

/** The page that stands in for pages that are not kept. */
const OFFLINE = to('/offline')

/** The page for an emergency. */
export const EMERGENCY = to('/emergency')

/** Files that pages load, and the page for offline use. */
export const SHELL_CACHE = `shell-${language.code}-${SHELL.version}${basePath}`

/** The kept pages of this version. Pages of another version would load files that are gone. */
export const PAGES_CACHE = `pages-${language.code}-${SHELL.version}${basePath}`

/** Keeps everything that the page for offline use needs. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(SHELL_CACHE)
  await cache.addAll([...SHELL.files.map(to), OFFLINE])
}

/** Discards the caches of older versions. Another service on the same host may have caches too, and so has each language. */
export async function discardOldCaches(): Promise<void> {
  const current = [SHELL_CACHE, PAGES_CACHE]
  const own = (await caches.keys()).filter(name => name.replace(/^[^/]*/, '') === basePath)
  const names = own.filter(name => name.split('-')[1] === language.code && !current.includes(name))
  await Promise.all(names.map(name => caches.delete(name)))
}

/** Gives the page for offline use. Its accepted types and codings do not matter here. */
export const offlinePage = async (): Promise<Response> => (await ofShell(OFFLINE)) ?? Response.error()

/** Gives the page for an emergency, if it is kept. */
export const emergencyPage = (): Promise<Response | undefined> => ofShell(EMERGENCY)

/** Keeps the page for an emergency, with its places. */
export const keepEmergency = async (): Promise<void> => (await caches.open(SHELL_CACHE)).add(EMERGENCY)

async function ofShell(page: string): Promise<Response | undefined> {
  const cache = await caches.open(SHELL_CACHE)
  return cache.match(page, { ignoreVary: true })
}

/** Answers with a kept file, or gets and keeps it. A file never changes, because its name has a hash of its content. */
export async function answerFile(request: Request): Promise<Response> {
  const cache = await caches.open(SHELL_CACHE)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}
