import { createHash } from 'node:crypto'
import { eventBytes } from '../../http/events/event-stream.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { LiveChange, type LiveNow, LiveSnapshot, type StreamEntry } from '../live-schema.ts'

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

/** Creates the live state as events: its changes, and those that a client missed. It begins without any state. */
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
     * The event that brings a client up to date whose last event had this id: the changes that it missed, or a snapshot
     * where they are not known. Undefined where it missed none.
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

/** The indexes of entries that differ. A change event can neither remove nor add a car park. */
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
