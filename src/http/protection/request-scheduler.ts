import type { IncomingMessage } from 'node:http'
import { createFairQueue } from './fair-queue.ts'
import { afterConnections } from './turns.ts'

/** Decides when requests are started. */
export interface RequestScheduler {
  /** Whether a request may be started at once: none waits, and this turn of the event loop has time left. */
  hasTime(): boolean
  /** Starts a request at the end of this turn, or in a later one where others wait. */
  startLater(request: IncomingMessage, begin: () => void): void
  /** Whether requests wait: what one of them can leave for the end of its turn, it should. */
  haveWaiting(): boolean
}

/** Milliseconds for the requests that come in a turn, and as many for those that wait. */
const TIME_SLICE_MS = 4

/**
 * Creates a scheduler without requests. Hundreds of connections that send at once would otherwise make one long turn, in
 * which a single connection is accepted; so their requests wait, and clients take turns.
 */
export function createRequestScheduler(clientOf: (message: IncomingMessage) => string): RequestScheduler {
  const queue = createFairQueue<{ client: string; begin: () => void }>({
    maxRunning: Number.POSITIVE_INFINITY,
  })
  let sliceEnd = 0
  let isWatchingTurn = false

  /** Notices the end of this turn. */
  function watchTurn(): void {
    if (isWatchingTurn) return
    isWatchingTurn = true
    afterConnections(endTurn)
  }

  function endTurn(): void {
    isWatchingTurn = false
    let now = performance.now()
    for (const end = now + TIME_SLICE_MS; now < end; ) {
      const next = queue.shift()
      if (next === undefined) break
      queue.recordStart(next.client)
      next.begin()
      const ended = performance.now()
      queue.recordEnd(next.client, ended - now)
      now = ended
    }
    sliceEnd = now + TIME_SLICE_MS
    if (queue.size > 0) watchTurn()
  }

  return {
    hasTime() {
      if (queue.size > 0) return false
      const now = performance.now()
      if (now < sliceEnd) return true
      if (isWatchingTurn) return false
      // Watching every turn would cost each an extra pass of the event loop: the first slice may have begun turns ago.
      sliceEnd = now + TIME_SLICE_MS
      watchTurn()
      return true
    },
    startLater(request, begin) {
      const client = clientOf(request)
      queue.push(client, { client, begin })
      watchTurn()
    },
    haveWaiting: () => queue.size > 0,
  }
}
