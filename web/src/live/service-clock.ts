/** The service's clock, for a device with a clock that may be wrong. */
export interface ServiceClock {
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  /** Learns the time from a response. Throws for a kept copy, such as a copy of a service worker. */
  readonly take: (response: Response) => void
}

/** The clocks of two instances of the service may differ by this time. */
const TOLERATED_MS = 60_000

/** Creates a clock that trusts the device's until the service has answered. */
export function createServiceClock(): ServiceClock {
  let ahead = 0
  let newest = Number.NEGATIVE_INFINITY
  return {
    now: () => Date.now() + ahead,
    take({ headers }) {
      const date = Date.parse(headers.get('date') ?? '')
      if (Number.isNaN(date)) return
      // A shared cache keeps the first date of a response, and adds its age (RFC 9111 5.1).
      const at = date + (Number(headers.get('age')) || 0) * 1000
      if (at < newest - TOLERATED_MS) throw new TypeError('an old copy')
      newest = Math.max(newest, at)
      ahead = at - Date.now()
    },
  }
}
