import type { TestContext } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { type FeedListener, type FeedRole, HEALTHY } from '../../src/parking/feed/feed.ts'
import type { LiveFeed } from '../../src/parking/feed/poller.ts'
import { createParkingService, type ParkingOptions, type ParkingService } from '../../src/parking/service.ts'
import type { Observation } from '../../src/store/store.ts'

/** A feed that never polls, and has what the test says. */
export interface TestFeed {
  readonly createFeed: (listener: FeedListener) => LiveFeed
  /** The feed has a new observation. */
  observe(observation: Observation): void
  /** Observations of other instances may have been missed. */
  miss(): void
  setRole(role: FeedRole): void
}

/** Makes a feed for {@link createParkingService}. */
export function testFeed(): TestFeed {
  let listener: FeedListener = {}
  let latest: Observation | undefined
  let role: FeedRole | undefined
  return {
    createFeed(given) {
      listener = given
      return {
        latest: () => latest,
        secondsToNext: () => 42,
        health: () => ({
          ...HEALTHY,
          polling: true,
          lastGoodAt: latest?.timestamp ?? null,
          ...(role && { role }),
        }),
        start: async () => {},
        reload: async () => {},
        stop: async () => {},
      }
    },
    observe(observation) {
      latest = observation
      listener.onObservation?.(observation)
    },
    miss: () => listener.onMissed?.(),
    setRole(next) {
      role = next
    },
  }
}

/** Tests ask what is known once all is learned, however busy the machine is. */
export const START_WITHIN_MS = 60_000

/** A parking service with a feed that never polls. */
export interface FedParking extends Omit<TestFeed, 'createFeed'> {
  readonly parking: ParkingService
}

/** Creates a parking service, not started, whose feed does what the test says. */
export function parkingWithFeed(
  options: Omit<ParkingOptions, 'config' | 'createFeed'> & { keepDays?: number | undefined },
): FedParking {
  const { createFeed, ...feed } = testFeed()
  const config = {
    ...readConfig({}),
    LIVE_FEED_TIME_ZONE: 'Europe/Jersey',
    LIVE_HISTORY_DAYS: options.keepDays,
  }
  const parking = createParkingService({ startWithinMs: START_WITHIN_MS, ...options, config, createFeed })
  return { ...feed, parking }
}

/** A parking service with its log and the time that it believes. */
export interface TimedParking extends FedParking {
  /** Events of the log so far. */
  readonly events: string[]
  /** Sets the time. */
  at(time: number): void
}

/** Creates a parking service that believes a time, is not started, and is stopped with the test. */
export function makeParking(
  t: TestContext,
  store: ParkingOptions['store'],
  time: number,
  options: Partial<Pick<ParkingOptions, 'records' | 'startWithinMs'>> & { keepDays?: number } = {},
): TimedParking {
  let now = time
  const events: string[] = []
  const note = (fields: object) => {
    if ('event' in fields) events.push(String(fields.event))
  }
  const fed = parkingWithFeed({
    ...{ store, records: () => undefined, synthetic: false, now: () => now },
    log: { info: note, warn: note, error: note },
    ...options,
  })
  t.after(() => fed.parking.stop())
  return {
    ...fed,
    events,
    at(time) {
      now = time
    },
  }
}
