import { to } from '../address.ts'

/** Has the browser keep what the explorer shows without a network, once the page has all that it needs itself. */
export function keepOffline(): void {
  // Pages that are not over HTTPS have no service worker.
  const { serviceWorker } = navigator as Partial<Navigator>
  if (serviceWorker === undefined) return
  // Nothing is lost where it is refused, as in a private window: the next page tries again.
  addEventListener('load', () => void serviceWorker.register(to('/service-worker.js')).catch(() => {}))
}
