import { KEPT_CACHE, keptOn, LISTS } from '../places/kept-places.ts'
import { emergencyPage, keepEmergency } from './shell.ts'
import { worker } from './worker.ts'

const HOUR_MS = 3_600_000

/** Keeps the places and the page for an emergency for offline use if they are older than an hour. Tells the pages. */
export async function keepPlaces(): Promise<void> {
  const date = await keptOn()
  const isNew = date !== undefined && Date.now() - Date.parse(date) < HOUR_MS
  // A new version of this script starts without the page.
  if (isNew && (await emergencyPage()) !== undefined) return
  const cache = await caches.open(KEPT_CACHE)
  await Promise.all([...LISTS.map(({ url }) => cache.add(url)), keepEmergency()])
  for (const client of await worker.clients.matchAll({ includeUncontrolled: true }))
    client.postMessage('kept')
}
