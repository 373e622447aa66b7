import { to } from '../address.ts'

/** Makes the browser keep the offline parts of the explorer, after the page has loaded. */
export function keepOffline(): void {
  // Only pages over HTTPS have service workers.
  const { serviceWorker } = navigator as Partial<Navigator>
  if (serviceWorker === undefined) return
  // A browser may refuse, as in a private window. The next page tries again.
  addEventListener('load', () => void serviceWorker.register(to('/service-worker.js')).catch(() => {}))
}
