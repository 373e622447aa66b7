import { eventBytes } from '../../http/event-text.ts'
import { serialiser } from '../../http/serialiser.ts'
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

/** A change of what is known. Its id is the reading's time, so that several may have one id; they stand together. */
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

  function keep(step: Step): void {
    steps.push(step)
    // Those of one id go together: by the rest of them a client would miss some of what they changed.
    for (let gone = ''; steps.length > KEPT_STEPS || steps[0]?.id === gone; ) gone = steps.shift()?.id ?? ''
  }

  function eventAbout(changed: Places): Buffer | undefined {
    if (changed.length === 0) return undefined
    const event = events.get(String(changed)) ?? makeEvent(known, changed)
    events.set(String(changed), event)
    return event
  }

  /** A client may have had only the first of several events with its id, so that it is told of the others again. */
  function missedSince(id: string | undefined): Places {
    const had = steps.findIndex(step => step.id === id)
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
      const isFirst = steps.length === 0
      known = now
      events.clear()
      keep({ id: now.timestamp, changed })
      // Another process may have told of this very reading, before its quality was found to be less than good.
      if (isFirst) keep({ id: now.timestamp, changed: placesWhere(now, ({ quality }) => quality !== 'good') })
      return eventAbout(changed)
    },
    since: id => eventAbout(missedSince(id)),
  }
}

function makeEvent(now: LiveNow, changed: Places): Buffer {
  if (changed === 'all') return eventBytes('snapshot', now.timestamp, renderSnapshot(now))
  const { timestamp } = now
  const results = changed.map(at => now.results[at])
  return eventBytes('change', timestamp, renderChange({ results, timestamp }))
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
