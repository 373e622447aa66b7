import { to } from '../address.ts'
import { KEPT_CACHE } from '../places/kept-places.ts'
import type { PageEvent } from './worker.ts'

export const MAP_FILE = to('/map.pmtiles')
/** A larger file is read in parts only, and only with a network. */
const MOST_BYTES = 15_000_000
const HOUR_MS = 3_600_000

/** When the kept file was last compared with that of the service, ms. */
let compared = Number.NEGATIVE_INFINITY

/** Answers with a part of the kept map, or of the service's, which is then kept whole if it is small. */
export async function answerMapPart(event: PageEvent): Promise<Response> {
  const cache = await caches.open(KEPT_CACHE)
  const kept = await cache.match(MAP_FILE)
  if (kept === undefined) {
    const response = await fetch(event.request)
    const bytes = Number(response.headers.get('content-range')?.split('/')[1])
    if (bytes <= MOST_BYTES && !isSparing()) event.waitUntil(renew(cache))
    return response
  }
  event.waitUntil(renew(cache, kept.headers.get('etag')))
  return partOf(kept, event.request.headers.get('range') ?? '')
}

/** Whether the reader asks pages to use little data. */
const isSparing = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/** Keeps the service's file unless it is the kept one; asks once an hour at most. */
async function renew(cache: Cache, etag?: string | null): Promise<void> {
  if (Date.now() - compared < HOUR_MS) return
  compared = Date.now()
  try {
    const headers = etag ? { 'if-none-match': etag } : {}
    const response = await fetch(MAP_FILE, { headers, cache: 'no-store' })
    if (response.status === 200) await cache.put(MAP_FILE, response)
    // The operator serves no file any more.
    if (response.status === 404) await cache.delete(MAP_FILE)
  } catch {
    compared = Number.NEGATIVE_INFINITY
  }
}

/** Returns a part of a whole response. Caches have no partial responses (Service Workers 5.4.5). */
async function partOf(whole: Response, range: string): Promise<Response> {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  if (first === undefined) return whole
  const body = await whole.blob()
  const [start, end] = [Number(first), Math.min(body.size, Number(last || body.size - 1) + 1)]
  const headers = new Headers(whole.headers)
  headers.set('content-range', `bytes ${start}-${end - 1}/${body.size}`)
  headers.set('content-length', String(end - start))
  return new Response(body.slice(start, end), { status: 206, headers })
}
