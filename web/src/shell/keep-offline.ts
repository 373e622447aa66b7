import { to } from '../address.ts'
import { language } from '../texts/en/language.ts'

const SCRIPT = language.code === 'en' ? '/service-worker.js' : `/service-worker-${language.code}.js`

/** Makes the browser keep the offline parts of the explorer in the language of the page, after the page has loaded. */
export function keepOffline(): void {
  // Only pages over HTTPS have service workers.
  const { serviceWorker } = navigator as Partial<Navigator>
  if (serviceWorker === undefined) return
  // A browser may refuse, as in a private window. The next page tries again.
  addEventListener('load', () => void serviceWorker.register(to(SCRIPT), { scope: to('/') }).catch(() => {}))
}
