import { createHash } from 'node:crypto'
import { eventBytes } from '../../http/events/event-text.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import type { JudgedEntry, LiveNow } from './live-events.ts'
import { LiveChange, LiveSnapshot } from './live-stream-schema.ts'

/** What is known live as events: what changed, and what a client missed. */
export interface LiveChanges {
  /** Takes in what is known now. Gives the event that tells what changed; undefined where nothing did. */
  take(now: LiveNow): Buffer | undefined
  /**
   * Gives the event that brings a client up to date that had the event of this id last: what it missed, or a snapshot
   * where that is not known. Undefined where it missed nothing.
   */
  since(id: string | undefined): Buffer | undefined
}

/** Places of entries; `all` where the list of car parks itself is another. */
type Places = readonly number[] | 'all'

/** A change of what is known; its id is that of what was known then. */
interface Step {
  readonly id: string
  readonly changed: Places
}

/** A day of readings five minutes apart. */
const KEPT_STEPS = 300

const renderSnapshot = serialiser(LiveSnapshot)
const renderChange = serialiser(LiveChange)

/** Starts without knowing anything. */
export function rememberChanges(): LiveChanges {
  const steps: Step[] = []
  /** Events about what is known now by the places that they tell of, shared by all who need them. */
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
    take(now) {
      const changed = differences(known, now)
      if (changed.length === 0 && now.timestamp === known.timestamp) return undefined
      known = now
      events.clear()
      steps.push({ id: idOf(now), changed })
      if (steps.length > KEPT_STEPS) steps.shift()
      return eventAbout(changed)
    },
    since: id => eventAbout(missedSince(id)),
  }
}

/**
 * Names what is known: the reading's time, and a digest of the rest. Another process, with which a client may have begun,
 * may have known other things at that time; then its id is not found here.
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

/** Where entries differ. An event of changes cannot say that a car park is gone, or where a new one stands. */
function differences(before: LiveNow, now: LiveNow): Places {
  const codes = ({ results }: LiveNow) => JSON.stringify(results.map(({ code }) => code))
  if (codes(before) !== codes(now)) return 'all'
  return placesWhere(now, (entry, at) => comparable(entry) !== comparable(before.results[at] as JudgedEntry))
}

function placesWhere({ results }: LiveNow, is: (entry: JudgedEntry, at: number) => boolean): number[] {
  return results.flatMap((entry, at) => (is(entry, at) ? [at] : []))
}

/** An entry without the time of its reading, which goes on where nothing else does. */
function comparable({ observedAt: _, ...entry }: JudgedEntry): string {
  return JSON.stringify(entry)
}
