import { KEPT_CACHE, keptOn, LISTS } from '../places/kept-places.ts'
import { worker } from './worker.ts'

const HOUR_MS = 3_600_000

/** Keeps the places for offline use if the kept places are older than an hour, and tells the pages. */
export async function keepPlaces(): Promise<void> {
  const date = await keptOn()
  if (date !== undefined && Date.now() - Date.parse(date) < HOUR_MS) return
  const cache = await caches.open(KEPT_CACHE)
  await Promise.all(LISTS.map(({ url }) => cache.add(url)))
  for (const client of await worker.clients.matchAll({ includeUncontrolled: true }))
    client.postMessage('kept')
}
