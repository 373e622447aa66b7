import type { TestContext } from 'node:test'
import { localClock } from '../../src/parking/local-clock.ts'
import {
  type CarparkWatchOptions,
  createCarparkWatch,
  type RunningWatch,
} from '../../src/parking/model/carpark-watch.ts'

/** A watch with its log and the time that it believes. */
export interface Watching {
  readonly watch: RunningWatch
  /** Events of the log so far. */
  readonly events: string[]
  /** Sets the time. */
  at(time: number): void
}

/** Makes a watch that believes a time, is not started, and is stopped with the test. */
export function makeWatch(
  t: TestContext,
  store: CarparkWatchOptions['store'],
  time: number,
  options: Partial<Omit<CarparkWatchOptions, 'store' | 'now' | 'log'>> = {},
): Watching {
  let now = time
  const events: string[] = []
  const note = (fields: object) => {
    if ('event' in fields) events.push(String(fields.event))
  }
  const watch = createCarparkWatch({
    ...{ store, clock: localClock('Europe/Jersey'), records: () => undefined, keepDays: undefined },
    ...{ now: () => now, log: { info: note, error: note } },
    // Tests ask what is known once all is learned, however busy the machine is.
    startWithinMs: 60_000,
    ...options,
  })
  t.after(() => watch.stop())
  return {
    watch,
    events,
    at(time) {
      now = time
    },
  }
}
