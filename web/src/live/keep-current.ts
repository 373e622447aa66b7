import type { LiveEvent } from '../../../client/src/live-events.ts'
import type { GetJson } from '../../../src/interfaces/web/explorer.ts'
import { createJsonGetter } from '../browser/get-json.ts'
import { followCounts } from './follow-counts.ts'
import type { Freshness } from './freshness.ts'
import { createServiceClock } from './service-clock.ts'

/** The data of a page with live counts, and the ways to newer data. */
export interface Source<Data> {
  /** The data that the service rendered the page with. */
  readonly initial: Data
  /** Gets all data again. */
  readonly load: (get: GetJson, data: Data) => Promise<Data>
  /** Puts the counts of an event in place. */
  readonly take: (data: Data, event: LiveEvent) => Data
  /** The time of the counts, milliseconds since 1970 UTC; NaN without counts. */
  readonly countedAt: (data: Data) => number
}

/** The data and its freshness for the page. */
export interface Shown<Data> {
  readonly data: Data
  readonly freshness: Freshness
  /** Asks the service again. */
  readonly retry: () => void
}

const MINUTE_MS = 60_000
/** The same limit as `staleAfterMs` of the service. */
const STALE_AFTER_MS = 15 * MINUTE_MS
/** Forecasts follow a new count; devices ask for them at different times. */
const followUpMs = () => 1000 + Math.random() * 4000

/**
 * Keeps the counts of a page current by the service's stream, or by a request every minute without a stream. No old count may look
 * like a new one. So counts without updates are marked as old, and go when the service itself would call them stale. Returns a
 * function that ends the updates.
 */
export function keepCurrent<Data>(source: Source<Data>, show: (shown: Shown<Data>) => void): () => void {
  const clock = createServiceClock()
  const get = createJsonGetter({ cache: 'no-cache', onResponse: clock.take })
  const ended = new AbortController()
  let data = source.initial
  /** The last time at which the counts were current. Undefined at first, because the browser may show a kept copy. */
  let updatedAt: number | undefined
  let stream = new AbortController()
  let isFollowing = false
  let isOld = false
  let isLoading = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const isGone = () => clock.now() - source.countedAt(data) > STALE_AFTER_MS

  function showAsCurrent() {
    isOld = false
    updatedAt = clock.now()
    show({ data, freshness: { state: 'current', isGone: isGone() }, retry: wake })
  }

  function showAsOld() {
    isOld = true
    updatedAt ??= source.countedAt(data) || clock.now()
    show({ data, freshness: { state: 'old', since: updatedAt, isGone: isGone() }, retry: wake })
  }

  function plan(ms: number) {
    clearTimeout(timer)
    timer = setTimeout(load, ms)
  }

  async function load() {
    if (document.hidden || ended.signal.aborted) return
    if (isLoading) return plan(followUpMs())
    isLoading = true
    clearTimeout(timer)
    try {
      const loaded = await source.load(get, data)
      // Another instance, or a cache before it, may be older than the stream.
      if (!(source.countedAt(loaded) < source.countedAt(data))) data = loaded
      if (!isFollowing) plan(MINUTE_MS)
      showAsCurrent()
    } catch {
      plan(MINUTE_MS)
      showAsOld()
    }
    isLoading = false
  }

  function follow() {
    stream.abort()
    isFollowing = false
    stream = new AbortController()
    void followCounts({
      signal: stream.signal,
      onOpen(response) {
        clock.take(response)
        isFollowing = true
        // The service is back. The stream sends nothing if nothing was missed.
        if (isOld) void load()
      },
      onHeard() {
        updatedAt = clock.now()
      },
      onEvent(event) {
        data = source.take(data, event)
        plan(followUpMs())
        showAsCurrent()
      },
      onLost(isUnreachable) {
        const wasFollowing = isFollowing
        isFollowing = false
        // A service that stops ends its streams first, and still answers for a while.
        if (wasFollowing || (isUnreachable && !isOld)) void load()
      },
    })
  }

  /** A device that slept shows the page as it was before anything can be fetched. */
  function wake() {
    if (document.hidden) {
      isFollowing = false
      return stream.abort()
    }
    if (updatedAt !== undefined && clock.now() - updatedAt > 2 * MINUTE_MS) showAsOld()
    follow()
    void load()
  }

  const { signal } = ended
  document.addEventListener('visibilitychange', wake, { signal })
  for (const event of ['pageshow', 'online']) addEventListener(event, wake, { signal })
  wake()
  return () => {
    ended.abort()
    stream.abort()
    clearTimeout(timer)
  }
}
