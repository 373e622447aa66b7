import { Problem } from '../errors.ts'
import type { Eventual } from '../values/eventual.ts'

/** Lets only so much costly work in that whoever is let in is answered soon, and the rest is told so at once. */
export interface Admission {
  /**
   * Does the work: now, or when it is its turn. Throws the problem OVERLOADED where its turn would come too late.
   */
  run<T>(work: () => Eventual<T>): Eventual<T>
}

export interface AdmissionOptions {
  /**
   * So many pieces of work may be under way at once, where work waits for something else, such as a database server.
   * With 1 it is taken to hold the event loop from its beginning to its end.
   */
  readonly atOnce?: number
  /** The event loop is given back to those who wait for little after so many milliseconds of work. */
  readonly turnMs?: number
  /** The longest wait that anybody is let in to, in milliseconds. */
  readonly waitMs?: number
  /** Whoever was let in and has waited so long after all is turned away, in milliseconds. */
  readonly patienceMs?: number
  /** Called when it begins to turn work away, and when all that waited is done. */
  readonly onOverload?: (overloaded: boolean) => void
  readonly now?: () => number
}

/** How much one piece of work weighs in the mean duration of the last ones. */
const NEWEST_SHARE = 0.1

/** What a client does well to wait before it tries again, in seconds. */
const RETRY_AFTER_S = 1

/** A piece of work whose turn has not come. */
interface Waiting {
  readonly since: number
  readonly begin: () => void
  readonly refuse: () => void
}

/**
 * Work that does not wait for anything else holds the event loop, so requests pile up in sockets, where nobody can turn
 * them away. Work beyond a turn's share therefore queues, and the event loop goes on reading requests in between.
 */
export function createAdmission(options: AdmissionOptions = {}): Admission {
  const { atOnce = 1, turnMs = 4, waitMs = 400, patienceMs = 600, onOverload = () => {} } = options
  const { now = () => performance.now() } = options
  const queue: Waiting[] = []
  let meanMs = 0
  let spentMs = 0
  let turnEnds = false
  let underWay = 0
  let isServing = false
  let isOverloaded = false
  let patience: NodeJS.Timeout | undefined

  const hasRoom = () => underWay < atOnce && spentMs < turnMs

  /** Does a piece of work and notes how long it took. */
  function timed<T>(work: () => Eventual<T>): Eventual<T> {
    const start = now()
    const sinceStart = () => now() - start
    /** So long it held the event loop, and so long it kept others from their turn. */
    const note = (heldMs: number, keptMs: number) => {
      underWay--
      spentMs += heldMs
      // One pause of the whole process must not look like costly work.
      meanMs += (Math.min(keptMs, 4 * meanMs + 1) - meanMs) * NEWEST_SHARE
      if (queue.length > 0) watchTurn()
      serve()
    }
    underWay++
    let done: Eventual<T>
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
        note(atOnce === 1 ? tookMs : begunMs, Math.max(begunMs, tookMs / atOnce))
      }
      done.then(noteLater, noteLater)
    } else note(begunMs, begunMs)
    return done
  }

  function tell(overload: boolean): void {
    isOverloaded = overload
    onOverload(overload)
  }

  function refusal(): Problem {
    if (!isOverloaded) tell(true)
    return overloaded()
  }

  /** What is spent counts from one turn of the event loop to the next. */
  function watchTurn(): void {
    if (turnEnds) return
    turnEnds = true
    setImmediate(() => {
      turnEnds = false
      spentMs = 0
      serve()
    })
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
    if (isOverloaded && queue.length === 0 && underWay < atOnce) tell(false)
  }

  /** Turns away whoever has waited too long: what is under way may hang, and then nobody's turn comes. */
  function watchQueue(): void {
    if (patience !== undefined || queue.length === 0) return
    patience = setTimeout(() => {
      patience = undefined
      for (const waiting of queue.splice(0, overdue())) waiting.refuse()
      watchQueue()
    }, patienceMs / 4)
  }

  /** How many have waited too long: the first of the queue. */
  function overdue(): number {
    const young = queue.findIndex(({ since }) => now() - since < patienceMs)
    return young < 0 ? queue.length : young
  }

  return {
    run(work) {
      watchTurn()
      if (queue.length === 0 && hasRoom()) return timed(work)
      if (queue.length * meanMs > waitMs) throw refusal()
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
  }
}

function overloaded(): Problem {
  return new Problem('OVERLOADED', 'More is asked than can be answered at this moment.', {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  })
}
