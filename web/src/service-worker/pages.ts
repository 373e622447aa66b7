import { basePath } from '../address.ts'
import { notice } from '../texts/en/offline.ts'
import { text } from '../texts/text.ts'
import { clockTime, dateOf } from '../words/island-time.ts'
import { keepPlaces } from './places.ts'
import { EMERGENCY, emergencyPage, offlinePage, PAGES_CACHE } from './shell.ts'
import type { PageEvent } from './worker.ts'

/** Long enough for a slow phone. After it, a kept page is shown. */
const PATIENCE_MS = 8000
/** In an emergency nobody waits so long. */
const EMERGENCY_PATIENCE_MS = 3000
const MOST_PAGES = 60
/** The answers of a proxy without its service. */
const AWAY = [502, 504]
/**
 * Pages with live counts are never kept in any language: an old count must not look like a new one. The shell keeps the pages for
 * offline use.
 */
const LIVE = /^(\/\w\w)?(\/?$|\/(map|status|offline|emergency)$|\/parking($|\/))/

/** Answers with the page of the network. Without a network, answers with the kept page and its date, or with the page for offline use. */
export async function answerPage(event: PageEvent): Promise<Response> {
  const { request } = event
  // The browser's own cache would not say how old its pages are.
  const network = fetch(request, { cache: 'no-cache' })
  event.waitUntil(network.then(keepPlaces).catch(() => {}))
  try {
    const response = await inTime(network, isEmergency(request) ? EMERGENCY_PATIENCE_MS : PATIENCE_MS)
    if (AWAY.includes(response.status) || (isEmergency(request) && response.status >= 500))
      return (await keptPage(request)) ?? response
    event.waitUntil(keep(request, response.clone()))
    return response
  } catch (error) {
    const kept = await keptPage(request)
    if (kept !== undefined) return kept
    return error instanceof TooLate ? network.catch(offlinePage) : offlinePage()
  }
}

const isEmergency = ({ url }: Request) => new URL(url).pathname === EMERGENCY

class TooLate extends Error {}

function inTime(network: Promise<Response>, patience: number): Promise<Response> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new TooLate()), patience))
  return Promise.race([network, late])
}

async function keep(request: Request, response: Response): Promise<void> {
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
  const path = new URL(request.url).pathname.slice(basePath.length)
  if (response.status !== 200 || !isPage || LIVE.test(path)) return
  const cache = await caches.open(PAGES_CACHE)
  // Once more at the end: the first are the oldest.
  await cache.delete(request, { ignoreVary: true })
  await cache.put(request, response)
  const pages = await cache.keys()
  await Promise.all(pages.slice(0, Math.max(0, pages.length - MOST_PAGES)).map(page => cache.delete(page)))
}

/** The kept page, with a notice of its date. */
async function keptPage(request: Request): Promise<Response | undefined> {
  const cache = await caches.open(PAGES_CACHE)
  const kept =
    (await cache.match(request, { ignoreVary: true })) ??
    (isEmergency(request) ? await emergencyPage() : undefined)
  if (kept === undefined) return undefined
  const date = kept.headers.get('date') ?? ''
  const headers = new Headers(kept.headers)
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const html = (await kept.text()).replace('<main ', `${noticeOf(date)}<main `)
  return new Response(html, { headers })
}

function noticeOf(date: string): string {
  const saved = text(notice.saved, { date: dateOf(date), time: clockTime(date) })
  return `<aside class="offline-notice" aria-label="${notice.label}"><p><strong>${notice.title}</strong> ${saved}</p></aside>`
}
