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
  /** The event loop is given back to those who wait for little after so many milliseconds of work. */
  readonly turnMs?: number
  /** The longest wait that anybody is let in to, in milliseconds. */
  readonly waitMs?: number
  /** Called when it begins to turn work away, and when all that waited is done. */
  readonly onOverload?: (overloaded: boolean) => void
  readonly now?: () => number
}

/** How much one piece of work weighs in the mean duration of the last ones. */
const NEWEST_SHARE = 0.1

/** What a client does well to wait before it tries again, in seconds. */
const RETRY_AFTER_S = 1

/**
 * Work that does not wait for anything else holds the event loop, so requests pile up in sockets, where nobody can turn
 * them away. Work beyond a turn's share therefore queues, and the event loop goes on reading requests in between.
 */
export function createAdmission(options: AdmissionOptions = {}): Admission {
  const { turnMs = 4, waitMs = 400, onOverload = () => {}, now = () => performance.now() } = options
  const queue: (() => void | Promise<void>)[] = []
  let meanMs = 0
  let spentMs = 0
  let turnEnds = false
  let underWay = 0
  let isOverloaded = false

  /** Does a piece of work and notes how long it took. */
  function timed<T>(work: () => Eventual<T>): Eventual<T> {
    const start = now()
    const note = () => {
      const took = now() - start
      underWay--
      spentMs += took
      // One pause of the whole process must not look like costly work.
      meanMs += (Math.min(took, 4 * meanMs + 1) - meanMs) * NEWEST_SHARE
      if (queue.length > 0) watchTurn()
    }
    underWay++
    let done: Eventual<T>
    try {
      done = work()
    } catch (error) {
      note()
      throw error
    }
    if (done instanceof Promise) done.then(note, note)
    else note()
    return done
  }

  function tell(overload: boolean): void {
    isOverloaded = overload
    onOverload(overload)
  }

  /** What is spent counts from one turn of the event loop to the next. */
  function watchTurn(): void {
    if (turnEnds) return
    turnEnds = true
    setImmediate(() => {
      turnEnds = false
      spentMs = 0
      void serve()
    })
  }

  /** Does what is queued, one piece at a time, until the turn's share is spent. */
  async function serve(): Promise<void> {
    while (underWay === 0 && spentMs < turnMs) {
      const next = queue.shift()
      if (next === undefined) break
      await next()
    }
    if (isOverloaded && queue.length === 0) tell(false)
  }

  return {
    run(work) {
      watchTurn()
      if (queue.length === 0 && underWay === 0 && spentMs < turnMs) return timed(work)
      if (queue.length * meanMs > waitMs) {
        if (!isOverloaded) tell(true)
        throw overloaded()
      }
      return new Promise((resolve, reject) => {
        queue.push(async () => {
          try {
            resolve(await timed(work))
          } catch (error) {
            reject(error)
          }
        })
      })
    },
  }
}

function overloaded(): Problem {
  return new Problem('OVERLOADED', 'More is asked than can be answered at this moment.', {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  })
}
