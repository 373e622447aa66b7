/** The service's clock, as a device whose own may be wrong can know it. */
export interface ServiceClock {
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  /** Learns from a response. Throws where it is a copy that somebody has kept, such as a service worker. */
  readonly take: (response: Response) => void
}

/** The clocks of two instances of the service may differ by as much. */
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
      // A shared cache gives what it has kept the date that it had at first (RFC 9111 5.1).
      const at = date + (Number(headers.get('age')) || 0) * 1000
      if (at < newest - TOLERATED_MS) throw new TypeError('an old copy')
      newest = Math.max(newest, at)
      ahead = at - Date.now()
    },
  }
}
