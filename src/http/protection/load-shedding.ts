import { Problem } from '../../errors.ts'
import type { MaybePromise } from '../../values/promises.ts'
import { createFairQueue } from './fair-queue.ts'
import { followServiceTime } from './service-time.ts'
import { afterConnections } from './turns.ts'

/** Admits only as much work as can respond soon, shares the time among clients, and rejects the rest at once. */
export interface LoadShedder {
  /** Runs the client's work now or queues it. Throws the problem OVERLOADED where it would wait too long. */
  run<T>(client: string, work: () => MaybePromise<T>): MaybePromise<T>
  /**
   * Counts time that work took after it was admitted, such as the chunks of a stream: the client's queued work waits the
   * longer for its next turn.
   */
  charge(client: string, ms: number): void
}

export interface LoadSheddingOptions {
  /**
   * The number of tasks that may run at once, where they wait for something else, such as a database server. With 1 a
   * task is assumed to block the event loop from start to end; with more, one client never occupies all of them.
   */
  readonly maxConcurrency?: number
  /** Milliseconds of work before the event loop turns to cheap requests; up to four times as long in overload. */
  readonly timeSliceMs?: number
  /** The longest expected wait with which work is queued, in milliseconds. */
  readonly maxWaitMs?: number
  /** Queued work is rejected after this wait, in milliseconds. */
  readonly queueTimeoutMs?: number
  /** Called at the first rejection, and when the queue is empty again, with the number of rejected tasks. */
  readonly onOverload?: (overloaded: boolean, refused: number) => void
  /** True while requests wait to be started: work then waits for the end of the turn. */
  readonly isBusy?: () => boolean
  readonly now?: () => number
}

/**
 * Reading and rejecting requests may take more time than the work itself. The time slice of work then grows to this multiple
 * of the time that everything else took since the last slice, up to a number of slices: so new requests wait, not admitted ones.
 */
const WORK_TO_OVERHEAD = 4
const MAX_SLICES = 4

/** Retry-After, in seconds. */
const RETRY_AFTER_S = 1

/** Made once: overload may mean thousands of rejections a second, at the expense of admitted requests. */
const OVERLOADED = new Problem('OVERLOADED', 'The service has too many requests at the moment.', {
  retryAfterS: RETRY_AFTER_S,
})

/** Queued work. */
interface Waiting {
  readonly since: number
  readonly begin: () => void
  readonly refuse: () => void
}

/**
 * Creates a load shedder with an empty queue.
 *
 * Work that never waits blocks the event loop, so requests pile up in sockets, where they cannot be rejected. Work beyond
 * the time slice of a turn is therefore queued, and the event loop reads requests in between.
 *
 * Clients take turns, and a request is rejected for the wait that its own client causes: no client's load turns another's
 * requests away.
 */
export function createLoadShedder(options: LoadSheddingOptions = {}): LoadShedder {
  const {
    maxConcurrency = 1,
    timeSliceMs = 4,
    maxWaitMs = 300,
    queueTimeoutMs = 600,
    onOverload = () => {},
  } = options
  const { isBusy = () => false, now = () => performance.now() } = options
  const queue = createFairQueue<Waiting>({ maxRunning: Math.max(1, maxConcurrency - 1) })
  const serviceTime = followServiceTime(now)
  let spentMs = 0
  /** The time slice of work in this turn. */
  let sliceMs = timeSliceMs
  /** When the last work of the last turn ended, if the queue was not empty then. */
  let servedAt: number | undefined
  let isWatchingTurn = false
  let running = 0
  let isServing = false
  let isOverloaded = false
  let refused = 0
  let queueTimer: NodeJS.Timeout | undefined

  const hasRoom = () => running < maxConcurrency && spentMs < sliceMs

  /** Runs a client's work and records its service time. */
  function timed<T>(client: string, work: () => MaybePromise<T>): MaybePromise<T> {
    const start = now()
    const sinceStart = () => now() - start
    /** `heldMs` is the time for which the work blocked the event loop, `keptMs` the time that it took from queued work. */
    const record = (heldMs: number, keptMs: number) => {
      running--
      queue.recordEnd(client, keptMs)
      spentMs += heldMs
      serviceTime.recordEnd(keptMs, queue.size > 0)
      if (queue.size > 0) watchTurn()
      serve()
    }
    running++
    queue.recordStart(client)
    let done: MaybePromise<T>
    try {
      done = work()
    } catch (error) {
      record(sinceStart(), sinceStart())
      throw error
    }
    const begunMs = sinceStart()
    if (done instanceof Promise) {
      const recordLater = () => {
        const tookMs = sinceStart()
        record(maxConcurrency === 1 ? tookMs : begunMs, Math.max(begunMs, tookMs / maxConcurrency))
      }
      done.then(recordLater, recordLater)
    } else record(begunMs, begunMs)
    return done
  }

  function notify(overload: boolean): void {
    isOverloaded = overload
    onOverload(overload, refused)
    refused = 0
  }

  function refusal(): Problem {
    if (!isOverloaded) notify(true)
    refused++
    return OVERLOADED
  }

  /** Ends the time slice with this turn of the event loop; consecutive turns with new connections count as one. */
  function watchTurn(): void {
    if (isWatchingTurn) return
    isWatchingTurn = true
    afterConnections(endTurn)
  }

  function endTurn(): void {
    isWatchingTurn = false
    spentMs = 0
    const overheadMs = servedAt === undefined ? 0 : now() - servedAt
    sliceMs = Math.min(Math.max(timeSliceMs, WORK_TO_OVERHEAD * overheadMs), MAX_SLICES * timeSliceMs)
    serve()
  }

  /** Starts queued work until the time slice is spent or the maximum concurrency is reached. */
  function serve(): void {
    if (isServing) return
    isServing = true
    while (hasRoom()) {
      const next = queue.shift()
      if (next === undefined) break
      next.begin()
    }
    isServing = false
    servedAt = queue.size > 0 ? now() : undefined
    if (isOverloaded && queue.size === 0 && running < maxConcurrency) notify(false)
  }

  /** Rejects work that has been queued too long: running work may hang, and then nothing is dequeued. */
  function watchQueue(): void {
    if (queueTimer !== undefined || queue.size === 0) return
    queueTimer = setTimeout(() => {
      queueTimer = undefined
      const isOverdue = ({ since }: Waiting) => now() - since >= queueTimeoutMs
      for (const waiting of queue.removeOverdue(isOverdue)) waiting.refuse()
      watchQueue()
    }, queueTimeoutMs / 4)
  }

  return {
    run(client, work) {
      watchTurn()
      if (queue.size === 0 && hasRoom() && queue.mayStart(client) && !isBusy()) return timed(client, work)
      if (queue.countAhead(client) * serviceTime.meanMs > maxWaitMs) throw refusal()
      return new Promise((resolve, reject) => {
        const begin = async () => {
          try {
            resolve(await timed(client, work))
          } catch (error) {
            reject(error)
          }
        }
        queue.push(client, { since: now(), begin, refuse: () => reject(refusal()) })
        watchQueue()
      })
    },
    charge: (client, ms) => queue.charge(client, ms / maxConcurrency),
  }
}
