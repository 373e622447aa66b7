import type { DatasetContext } from '../../datasets/dataset.ts'
import { Problem } from '../../errors.ts'
import { addEventStream } from '../../http/events/event-stream.ts'
import type { Router } from '../../http/routing/router.ts'
import { rememberChanges } from './live-changes.ts'
import { LiveChange, LiveSnapshot } from './live-stream-schema.ts'

const DESCRIPTION = `
Server-Sent Events: first a \`snapshot\` with every car park, then a \`change\` with those entries that changed, as soon as
the feed or the quality of a count tells something new. Where nothing does, a comment comes every 15 seconds. Put the
entries of a \`change\` in place of those with the same code; a later \`snapshot\` replaces all. The time of its reading
goes on with every reading, so \`observedAt\` alone is no change.

Connect anew with the header Last-Event-ID, as \`EventSource\` does by itself, and what you missed comes as one \`change\`; if
it is not known any more, a \`snapshot\`. The number of clients is bounded (503 OVERLOADED), and who does not read is cut.
`

/** GET /v1/carparks/live-spaces/stream: free spaces as they change. */
export function addLiveStreamRoute(router: Router, context: DatasetContext): void {
  const { live, liveEvents } = context
  const changes = rememberChanges()
  let tell: (event: Buffer) => void = () => {}
  const takeIn = (): boolean => {
    const now = liveEvents.current()
    if (now === undefined) return false
    const event = changes.take(now)
    if (event !== undefined) tell(event)
    return true
  }
  addEventStream(router, {
    path: '/v1/carparks/live-spaces/stream',
    operationId: 'followLiveSpaces',
    tag: context.dataset.name,
    summary: 'Free spaces as they change',
    description: DESCRIPTION.trim(),
    events: {
      snapshot: { description: 'Every car park.', data: LiveSnapshot },
      change: { description: 'The car parks that changed.', data: LiveChange },
    },
    idDescription: "The reading's time, and after a slash what names the rest: take it as it is.",
    synthetic: () => live.synthetic,
    firstEvent(lastId) {
      context.requireInService()
      // A new client is told of everything at once: nobody else may know less.
      if (takeIn()) return changes.since(lastId)
      throw new Problem('DATASET_UNAVAILABLE', 'There is no reading of the live feed yet.', {
        headers: { 'retry-after': String(live.secondsToNext()) },
      })
    },
    subscribe(send) {
      tell = send
      takeIn()
      return liveEvents.subscribe(takeIn)
    },
  })
}
