/** How long a piece of work takes of the time of those who wait for their turn. */
export interface Pace {
  /** The mean of the last ones, in milliseconds. */
  readonly meanMs: number
  /** Notes that a piece has ended, which took so long by itself, and whether others wait. */
  noteEnd(tookMs: number, othersWait: boolean): void
}

/** While others wait, pieces are counted over so many milliseconds, with all that the event loop does between them. */
const WINDOW_MS = 50

/** How much the newest weighs in the mean. */
const NEWEST_SHARE = 0.1

/** Follows the pace of work by the clock: by each piece while nobody waits, and by how many end in a while otherwise. */
export function followPace(now: () => number): Pace {
  let meanMs = 0
  let since: number | undefined
  let ended = 0

  /** One pause of the whole process must not look like costly work. */
  const learn = (ms: number) => {
    meanMs += (Math.min(ms, 4 * meanMs + 1) - meanMs) * NEWEST_SHARE
  }

  return {
    get meanMs() {
      return meanMs
    },
    noteEnd(tookMs, othersWait) {
      const end = now()
      if (since === undefined) learn(tookMs)
      else {
        ended++
        const passedMs = end - since
        if (passedMs >= WINDOW_MS) {
          const pieces = ended
          for (let piece = 0; piece < pieces; piece++) learn(passedMs / pieces)
          since = undefined
        }
      }
      if (!othersWait) since = undefined
      else if (since === undefined) {
        since = end
        ended = 0
      }
    },
  }
}
