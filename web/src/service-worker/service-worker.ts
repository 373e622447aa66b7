import { isEmbed } from '../../../src/values/addresses/address-of.ts'
import { basePath, to } from '../address.ts'
import { answerMapPart, MAP_FILE } from './map-file.ts'
import { answerPage } from './pages.ts'
import { keepPlaces } from './places.ts'
import { answerFile, discardOldCaches, keepShell } from './shell.ts'
import { worker } from './worker.ts'

worker.addEventListener('install', event => {
  // The places may fail, for example without a release. The next page tries again.
  event.waitUntil(Promise.all([keepShell(), keepPlaces().catch(() => {}), worker.skipWaiting()]))
})

worker.addEventListener('activate', event => {
  event.waitUntil(Promise.all([discardOldCaches(), worker.clients.claim()]))
})

worker.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  // A page in a frame has no form for offline use, and its counts may not be kept.
  if (isEmbed(pathname.slice(basePath.length))) return
  if (request.mode === 'navigate') event.respondWith(answerPage(event))
  // Everything else comes from the network, so no count of free spaces is old.
  else if (pathname.startsWith(to('/assets/'))) event.respondWith(answerFile(request))
  else if (pathname === MAP_FILE) event.respondWith(answerMapPart(event))
})
