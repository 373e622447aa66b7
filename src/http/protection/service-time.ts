/** The moving average of the service time: how long each task delays the tasks queued behind it. */
export interface ServiceTime {
  /** The moving average, in milliseconds. */
  readonly meanMs: number
  /** Records the end of a task, its own duration, and whether other tasks are queued. */
  recordEnd(tookMs: number, hasQueue: boolean): void
}

/** While tasks are queued, throughput is measured over this window, everything else that the event loop does included. */
const WINDOW_MS = 50

/** The weight of the newest task in the average. */
const NEWEST_WEIGHT = 0.1

/** Measures the service time: by each task's duration while the queue is empty, otherwise by throughput. */
export function followServiceTime(now: () => number): ServiceTime {
  let meanMs = 0
  let since: number | undefined
  let ended = 0

  /** Bounds each sample: one pause of the whole process must not look like expensive work. */
  const addSample = (ms: number) => {
    meanMs += (Math.min(ms, 4 * meanMs + 1) - meanMs) * NEWEST_WEIGHT
  }

  return {
    get meanMs() {
      return meanMs
    },
    recordEnd(tookMs, hasQueue) {
      const end = now()
      if (since === undefined) addSample(tookMs)
      else {
        ended++
        const passedMs = end - since
        if (passedMs >= WINDOW_MS) {
          const tasks = ended
          for (let task = 0; task < tasks; task++) addSample(passedMs / tasks)
          since = undefined
        }
      }
      if (!hasQueue) since = undefined
      else if (since === undefined) {
        since = end
        ended = 0
      }
    },
  }
}
