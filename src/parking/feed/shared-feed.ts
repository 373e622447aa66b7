import type { Coordination } from '../../store/coordination.ts'
import type { Clock } from './clock.ts'
import type { FeedRole } from './feed.ts'
import type { LatestObservation, SharedObservation } from './latest-observation.ts'
import { joinElection, type LeaderElection, type LeaderElectionOptions } from './leader-election.ts'
import type { ClockState } from './mapping/timestamp-resolution.ts'
import type { FeedLog, PollHealth } from './poll-status.ts'

export interface SharedFeedOptions extends Pick<LeaderElectionOptions, 'mayLead' | 'timing'> {
  readonly coordination: Coordination
  readonly clock: Clock
  readonly log: FeedLog
  readonly latest: LatestObservation
  /** The health of this instance's own polling. */
  readonly health: () => PollHealth
  /** The time of this instance's next poll, milliseconds since 1970 UTC. */
  readonly nextAt: () => number | undefined
  /** `known` is the health of the feed by the last message of the leader that was followed. */
  readonly onRole: (role: FeedRole, before: FeedRole, known: PollHealth | undefined) => void
}

/** One feed for several instances: the leader polls it, and the others follow its messages. */
export interface SharedFeed extends Pick<LeaderElection, 'start' | 'stop' | 'publish' | 'mayPoll' | 'role'> {
  /** The leader's polling, where this instance follows one. */
  leader(): LeaderStatus | undefined
}

export interface LeaderStatus {
  readonly health: PollHealth
  /** The time of its next poll, milliseconds since 1970 UTC. */
  readonly nextAt: number
}

/** Shares the feed with the other instances of a store. */
export function shareFeed(options: SharedFeedOptions): SharedFeed {
  const { clock, latest, health, nextAt, mayLead } = options
  let leader: LeaderStatus | undefined

  const election = joinElection({
    ...options,
    message() {
      const now = clock.now().getTime()
      const nextInMs = Math.max(0, (nextAt() ?? now) - now)
      return encode({ reading: latest.share() ?? null, health: health(), nextInMs })
    },
    onConnected: latest.load,
    onRole(role, before) {
      const known = leader?.health
      // It will be outdated by the time that this instance follows again.
      if (role !== 'following') leader = undefined
      options.onRole(role, before, known)
    },
    onMessage({ text, ageMs }) {
      const message = decode(text)
      if (message === undefined) return
      leader = { health: message.health, nextAt: clock.now().getTime() - ageMs + message.nextInMs }
      const isOwn = election.role() === 'leading' && message.reading?.id === latest.share()?.id
      if (message.reading !== null && !isOwn) latest.adopt(message.reading)
    },
  })
  return {
    ...election,
    leader: () => (election.role() === 'following' && (mayLead || election.hasLeader()) ? leader : undefined),
  }
}

/** The leader's message: all that requests and operators see of the feed. */
interface FeedMessage {
  /** Null before the first. */
  readonly reading: SharedObservation | null
  readonly health: PollHealth
  /** Milliseconds until the next poll. */
  readonly nextInMs: number
}

/** Raised with each change of the form: instances of different versions run side by side during an upgrade. */
const FORM = 2

const encode = (message: FeedMessage): string => JSON.stringify({ form: FORM, ...message })

/** Undefined for a message of another version. */
function decode(text: string): FeedMessage | undefined {
  const { form, reading, ...message } = JSON.parse(text)
  if (form !== FORM) return undefined
  return { ...message, reading: reading && { ...reading, clockState: clockStateOf(reading.clockState) } }
}

/** JSON has no infinity and has null instead. */
function clockStateOf(state: ClockState): ClockState {
  const { stamp, feedTime, named, older } = state
  return {
    ...state,
    ...{ stamp: orNever(stamp), feedTime: orNever(feedTime), older: orNever(older) },
    named: named.map(orNever),
  }
}

const orNever = (time: number | null): number => time ?? Number.NEGATIVE_INFINITY
