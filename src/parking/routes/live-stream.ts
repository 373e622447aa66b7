import { createHash } from 'node:crypto'
import { addEventStream, eventBytes } from '../../http/event-stream.ts'
import { serialiser } from '../../http/representation.ts'
import type { Router } from '../../http/router.ts'
import { LiveChange, type LiveNow, LiveSnapshot, type StreamEntry } from '../live-schema.ts'
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

/** Indexes of entries; `all` where the list of car parks itself changed. */
type Places = readonly number[] | 'all'

/** A change of the state, with the id of the state after it. */
interface Step {
  readonly id: string
  readonly changed: Places
}

/** A day of readings five minutes apart. */
const KEPT_STEPS = 300

const renderSnapshot = serialiser(LiveSnapshot)
const renderChange = serialiser(LiveChange)

/** Creates the live state as events: each change, and the changes that a client missed. It begins without any state. */
export function trackChanges() {
  const steps: Step[] = []
  /** Events of the present state by the indexes of their entries, shared by clients. */
  const events = new Map<string, Buffer>()
  let known: LiveNow = { timestamp: '', results: [] }

  function eventAbout(changed: Places): Buffer | undefined {
    if (changed.length === 0) return undefined
    const event = events.get(String(changed)) ?? makeEvent(known, changed)
    events.set(String(changed), event)
    return event
  }

  function missedSince(id: string | undefined): Places {
    const had = steps.map(step => step.id).lastIndexOf(id ?? '')
    if (had < 0) return 'all'
    const places = new Set<number>()
    for (const { changed } of steps.slice(had + 1)) {
      if (changed === 'all') return 'all'
      for (const at of changed) places.add(at)
    }
    return [...places].sort((a, b) => a - b)
  }

  return {
    /** Takes the present state and returns the event of its changes; undefined without any. */
    take(now: LiveNow): Buffer | undefined {
      const changed = differences(known, now)
      if (changed.length === 0 && now.timestamp === known.timestamp) return undefined
      known = now
      events.clear()
      steps.push({ id: idOf(now), changed })
      if (steps.length > KEPT_STEPS) steps.shift()
      return eventAbout(changed)
    },
    /**
     * The event that brings a client up to date after the event with this id: the changes that the client missed, or a
     * snapshot if these are not known. Undefined if the client missed nothing.
     */
    since: (id: string | undefined): Buffer | undefined => eventAbout(missedSince(id)),
  }
}

/**
 * The id of a state: the reading's time, and a digest of the rest. Another process, to which a client was connected
 * before, may have had another state at that time; then its id is not found here.
 */
export function idOf({ timestamp, results }: LiveNow): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(results.map(comparable)))
    .digest('base64url')
  return `${timestamp}/${digest.slice(0, 12)}`
}

function makeEvent(now: LiveNow, changed: Places): Buffer {
  if (changed === 'all') return eventBytes('snapshot', idOf(now), renderSnapshot(now))
  const { timestamp } = now
  const results = changed.map(at => now.results[at])
  return eventBytes('change', idOf(now), renderChange({ results, timestamp }))
}

/** The indexes of entries that differ; `all` if car parks were added or removed, which a change event cannot do. */
function differences(before: LiveNow, now: LiveNow): Places {
  const codes = ({ results }: LiveNow) => JSON.stringify(results.map(({ code }) => code))
  if (codes(before) !== codes(now)) return 'all'
  const [known, present] = [before.results.map(comparable), now.results.map(comparable)]
  return [...present.keys()].filter(at => present[at] !== known[at])
}

/** An entry without the time of its reading, which advances with every reading. */
function comparable({ observedAt: _, ...entry }: StreamEntry): string {
  return JSON.stringify(entry)
}
