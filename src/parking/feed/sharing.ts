import type { Coordination } from '../../store/coordination.ts'
import type { FeedRole } from '../live-view.ts'
import type { Clock } from './clock.ts'
import type { LatestReading } from './latest-reading.ts'
import { type Leadership, type LeadershipOptions, takePart } from './leadership.ts'
import type { FeedLog, PollHealth } from './poll-status.ts'
import { readWord, writeWord } from './word.ts'

export interface SharingOptions extends Pick<LeadershipOptions, 'mayLead' | 'timing'> {
  readonly instances: Coordination
  readonly clock: Clock
  readonly log: FeedLog
  readonly reading: LatestReading
  /** This instance's own. */
  readonly health: () => PollHealth
  /** When this instance asks the feed next, milliseconds since 1970 UTC. */
  readonly nextAt: () => number | undefined
  /** `told` is how the feed fared by the word of the instance that was followed. */
  readonly onRole: (role: FeedRole, before: FeedRole, told: PollHealth | undefined) => void
}

/** One feed among several instances: who asks it, and what is known of it from whoever does. */
export interface Sharing extends Pick<Leadership, 'start' | 'stop' | 'tell' | 'mayPoll'> {
  role(): FeedRole
  /** What another instance told of the feed, as far as that counts here. */
  others(): Others | undefined
}

export interface Others {
  readonly health: PollHealth
  /** When it asks the feed next, milliseconds since 1970 UTC. */
  readonly nextAt: number
}

/** Shares the feed with the other instances of a store. */
export function createSharing(options: SharingOptions): Sharing {
  const { clock, reading, health, nextAt, mayLead } = options
  let others: Others | undefined

  const leadership = takePart({
    ...options,
    word() {
      const now = clock.now().getTime()
      const nextInMs = Math.max(0, (nextAt() ?? now) - now)
      return writeWord({ reading: reading.share() ?? null, health: health(), nextInMs })
    },
    onReached: reading.load,
    onRole(role, before) {
      const told = others?.health
      // By the time that it follows again they have become old.
      if (role !== 'following') others = undefined
      options.onRole(role, before, told)
    },
    onTold({ text, ageMs }) {
      const word = readWord(text)
      if (word === undefined) return
      others = { health: word.health, nextAt: clock.now().getTime() - ageMs + word.nextInMs }
      const isOwn = leadership.role() === 'leading' && word.reading?.id === reading.share()?.id
      if (word.reading !== null && !isOwn) reading.adopt(word.reading)
    },
  })
  return {
    ...leadership,
    others: () => (leadership.role() === 'following' && (mayLead || leadership.isLed()) ? others : undefined),
  }
}
