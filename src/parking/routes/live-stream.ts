import { addEventStream } from '../../http/events/event-stream.ts'
import type { Router } from '../../http/routing/router.ts'
import { LiveChange, LiveSnapshot } from '../live-schema.ts'
import { trackChanges } from './live-changes.ts'
import { noReading, type ParkingContext, TAG } from './parking-context.ts'

const DESCRIPTION = `
Server-Sent Events: first a \`snapshot\` with every car park, then a \`change\` with those entries that changed, as soon as
a count or its quality changes. Without a change, a comment comes every 15 seconds. Put the
entries of a \`change\` in place of those with the same code; a later \`snapshot\` replaces all. The time of its reading
advances with every reading, so \`observedAt\` alone is no change.

Reconnect with the header Last-Event-ID, as \`EventSource\` does by itself, and the changes that you missed come as one
\`change\`; if they are no longer known, as a \`snapshot\`. The number of clients is limited (503 OVERLOADED), and a client
that does not read is disconnected.
`

/** GET /v1/carparks/live-spaces/stream: free spaces as they change. */
export function addLiveStreamRoute(router: Router, { parking, carParks }: ParkingContext): void {
  const changes = trackChanges()
  let broadcast: (event: Buffer) => void = () => {}
  const update = (): boolean => {
    const now = parking.current()
    if (now === undefined) return false
    const event = changes.take(now)
    if (event !== undefined) broadcast(event)
    return true
  }
  addEventStream(router, {
    path: '/v1/carparks/live-spaces/stream',
    operationId: 'followLiveSpaces',
    tag: TAG,
    summary: 'Free spaces as they change',
    description: DESCRIPTION.trim(),
    events: {
      snapshot: { description: 'Every car park.', data: LiveSnapshot },
      change: { description: 'The car parks that changed.', data: LiveChange },
    },
    idDescription: "The reading's time, a slash and a digest of the state: treat it as opaque.",
    synthetic: () => parking.synthetic,
    firstEvent(lastId) {
      carParks.requireInService()
      // A new client gets the present state, so the others must have it too.
      if (update()) return changes.since(lastId)
      throw noReading(parking)
    },
    subscribe(send) {
      broadcast = send
      update()
      return parking.subscribe(update)
    },
  })
}
