import { Problem } from '../../errors.ts'
import type { MaybePromise } from '../../values/maybe-promise.ts'
import { followPace } from './service-time.ts'

/** Lets only so much costly work in that whoever is let in is answered soon, and the rest is told so at once. */
export interface LoadShedder {
  /**
   * Does the work: now, or when it is its turn. Throws the problem OVERLOADED where its turn would come too late.
   */
  run<T>(work: () => MaybePromise<T>): MaybePromise<T>
  /** Notes that a client has connected: the event loop takes up one a turn, so others may be waiting behind it. */
  noteConnection(): void
}

export interface LoadSheddingOptions {
  /**
   * So many pieces of work may be under way at once, where work waits for something else, such as a database server.
   * With 1 it is taken to hold the event loop from its beginning to its end.
   */
  readonly maxConcurrency?: number
  /** The event loop is given back to those who wait for little after so many milliseconds of work; four times that in overload. */
  readonly timeSliceMs?: number
  /** The longest wait that anybody is let in to, in milliseconds. */
  readonly maxWaitMs?: number
  /** Whoever was let in and has waited so long after all is turned away, in milliseconds. */
  readonly queueTimeoutMs?: number
  /** Called when it begins to turn work away, and when all that waited is done, with how many pieces were turned away. */
  readonly onOverload?: (overloaded: boolean, refused: number) => void
  readonly now?: () => number
}

/**
 * Reading and refusing may come to take more of the time than work does. Work then gets so many times as much as all else
 * took since its last turn, up to so many shares: the excess waits, not those who were let in.
 */
const WORK_TO_REST = 4
const MOST_SHARES = 4

/** What a client does well to wait before it tries again, in seconds. */
const RETRY_AFTER_S = 1

/** Made once: in overload thousands a second are told so, and what it costs is taken from those who are answered. */
const OVERLOADED = new Problem('OVERLOADED', 'More is asked than can be answered at this moment.', {
  headers: { 'retry-after': String(RETRY_AFTER_S) },
})

/** A piece of work whose turn has not come. */
interface Waiting {
  readonly since: number
  readonly begin: () => void
  readonly refuse: () => void
}

/**
 * Work that does not wait for anything else holds the event loop, so requests pile up in sockets, where nobody can turn
 * them away. Work beyond a turn's share therefore queues, and the event loop goes on reading requests in between. It
 * accepts a single connection a turn: while they come, it has further turns before work goes on, for as long as a share.
 */
export function createLoadShedder(options: LoadSheddingOptions = {}): LoadShedder {
  const {
    maxConcurrency = 1,
    timeSliceMs = 4,
    maxWaitMs = 300,
    queueTimeoutMs = 600,
    onOverload = () => {},
  } = options
  const { now = () => performance.now() } = options
  const queue: Waiting[] = []
  const pace = followPace(now)
  let spentMs = 0
  /** What work may take of this turn. */
  let shareMs = timeSliceMs
  /** When the last work of the last turn ended, if others were waiting then. */
  let servedAt: number | undefined
  let turnEnds = false
  let hasNewcomers = false
  let underWay = 0
  let isServing = false
  let isOverloaded = false
  let refused = 0
  let patience: NodeJS.Timeout | undefined

  const hasRoom = () => underWay < maxConcurrency && spentMs < shareMs

  /** Does a piece of work and notes how long it took. */
  function timed<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    const start = now()
    const sinceStart = () => now() - start
    /** So long it held the event loop, and so long it kept others from their turn. */
    const note = (heldMs: number, keptMs: number) => {
      underWay--
      spentMs += heldMs
      pace.noteEnd(keptMs, queue.length > 0)
      if (queue.length > 0) watchTurn()
      serve()
    }
    underWay++
    let done: MaybePromise<T>
    try {
      done = work()
    } catch (error) {
      note(sinceStart(), sinceStart())
      throw error
    }
    const begunMs = sinceStart()
    if (done instanceof Promise) {
      const noteLater = () => {
        const tookMs = sinceStart()
        note(maxConcurrency === 1 ? tookMs : begunMs, Math.max(begunMs, tookMs / maxConcurrency))
      }
      done.then(noteLater, noteLater)
    } else note(begunMs, begunMs)
    return done
  }

  function tell(overload: boolean): void {
    isOverloaded = overload
    onOverload(overload, refused)
    refused = 0
  }

  function refusal(): Problem {
    if (!isOverloaded) tell(true)
    refused++
    return OVERLOADED
  }

  /** What is spent counts from one turn of the event loop to the next; turns in which clients connect are one. */
  function watchTurn(): void {
    if (turnEnds) return
    turnEnds = true
    setImmediate(() => endTurn(now()))
  }

  function endTurn(since: number): void {
    if (hasNewcomers && now() - since < timeSliceMs) {
      hasNewcomers = false
      setImmediate(endTurn, since)
      return
    }
    turnEnds = false
    spentMs = 0
    const besidesMs = servedAt === undefined ? 0 : now() - servedAt
    shareMs = Math.min(Math.max(timeSliceMs, WORK_TO_REST * besidesMs), MOST_SHARES * timeSliceMs)
    serve()
  }

  /** Begins what is queued, until the turn's share is spent or as much is under way as may be. */
  function serve(): void {
    if (isServing) return
    isServing = true
    while (hasRoom()) {
      const next = queue.shift()
      if (next === undefined) break
      next.begin()
    }
    isServing = false
    servedAt = queue.length > 0 ? now() : undefined
    if (isOverloaded && queue.length === 0 && underWay < maxConcurrency) tell(false)
  }

  /** Turns away whoever has waited too long: what is under way may hang, and then nobody's turn comes. */
  function watchQueue(): void {
    if (patience !== undefined || queue.length === 0) return
    patience = setTimeout(() => {
      patience = undefined
      for (const waiting of queue.splice(0, overdue())) waiting.refuse()
      watchQueue()
    }, queueTimeoutMs / 4)
  }

  /** How many have waited too long: the first of the queue. */
  function overdue(): number {
    const young = queue.findIndex(({ since }) => now() - since < queueTimeoutMs)
    return young < 0 ? queue.length : young
  }

  return {
    run(work) {
      watchTurn()
      if (queue.length === 0 && hasRoom()) return timed(work)
      if (queue.length * pace.meanMs > maxWaitMs) throw refusal()
      return new Promise((resolve, reject) => {
        const begin = async () => {
          try {
            resolve(await timed(work))
          } catch (error) {
            reject(error)
          }
        }
        queue.push({ since: now(), begin, refuse: () => reject(refusal()) })
        watchQueue()
      })
    },
    noteConnection() {
      hasNewcomers = true
    },
  }
}
