import type { Coordination, LeaseStatus, Message } from '../../store/coordination.ts'
import type { Clock } from '../../values/clock.ts'
import { within } from '../../values/promises.ts'
import type { FeedRole } from './feed.ts'
import type { LatestObservation, SharedObservation } from './latest-observation.ts'
import type { ClockState } from './mapping/timestamp-resolution.ts'
import type { FeedLog, PollHealth } from './poll-status.ts'

export interface SharedFeedOptions {
  readonly coordination: Coordination
  readonly clock: Clock
  readonly log: FeedLog
  readonly latest: LatestObservation
  /** False where this instance has no feed address, and so only follows. */
  readonly mayLead: boolean
  /** The health of this instance's own polling. */
  readonly health: () => PollHealth
  /** The time of this instance's next poll, milliseconds since 1970 UTC. */
  readonly nextAt: () => number | undefined
  /** `known` is the health of the feed by the last message of the leader that was followed. */
  readonly onRole: (role: FeedRole, before: FeedRole, known: PollHealth | undefined) => void
  readonly timing?: Partial<typeof TIMING> | undefined
}

const TIMING = {
  /** A leader that does not renew its lease within this time loses it. */
  leaseMs: 5000,
  /** The interval of requests to the store; a notification triggers the next one at once. */
  checkEveryMs: 1500,
  /** The same without notifications, so that a reading reaches every instance within a second. */
  checkUnnotifiedEveryMs: 500,
  /** An instance that cannot reach the store for this time polls the feed itself, lest its readings become stale. */
  aloneAfterMs: 10_000,
  timeoutMs: 2000,
}

const TEXTS: Readonly<Record<FeedRole, string>> = {
  leading: 'this instance polls the live feed for all',
  following: 'another instance polls the live feed',
  alone: 'the instances cannot share the live feed: this one polls it for itself',
}

/**
 * Shares the feed with the other instances of a store: a lease in the store elects the leader, which polls the feed, and
 * the others follow its messages. An instance follows until it has started.
 */
export function shareFeed(options: SharedFeedOptions) {
  const { coordination, clock, log, latest, mayLead, health, nextAt, onRole } = options
  const timing = { ...TIMING, ...options.timing }
  let role: FeedRole = 'following'
  /** Whether any instance leads, as of the store's last response, and what it last published. */
  let hasLeader = false
  let leader: { readonly health: PollHealth; readonly nextAt: number } | undefined
  let leadsUntil = Number.NEGATIVE_INFINITY
  let unavailableSince: number | undefined
  let messageNumber: number | undefined
  let isUnpublished = false
  let checking: Promise<void> = Promise.resolve()
  let isChecking = false
  let mustCheck = false
  let timer: NodeJS.Timeout | undefined
  let hasStopped = false
  let unsubscribe = () => {}

  const soon = <T>(promised: Promise<T>): Promise<T> =>
    within(timing.timeoutMs, promised, () => new Error('the store does not respond'))

  function become(next: FeedRole): void {
    if (next === role) return
    const before = role
    const known = leader?.health
    role = next
    // It will be outdated by the time that this instance follows again.
    if (role !== 'following') leader = undefined
    log[role === 'alone' ? 'warn' : 'info']({ event: `feed-${role}` }, TEXTS[role])
    onRole(role, before, known)
  }

  function receive({ text, ageMs }: Message): void {
    const message = decode(text)
    if (message === undefined) return
    leader = { health: message.health, nextAt: clock.now().getTime() - ageMs + message.nextInMs }
    const isOwn = role === 'leading' && message.reading?.id === latest.share()?.id
    if (message.reading !== null && !isOwn) latest.adopt(message.reading)
  }

  /** Takes over the lease's status as of the time of the request; a new message goes before a change of role. */
  async function apply({ leading, led, number }: LeaseStatus, requestedAt: number): Promise<void> {
    await latest.load()
    if (number !== messageNumber) {
      const message = await soon(coordination.latestMessage())
      if (message !== undefined) receive(message)
      messageNumber = message?.number ?? number
    }
    if (hasStopped) return
    unavailableSince = undefined
    hasLeader = led
    leadsUntil = leading ? requestedAt + timing.leaseMs : Number.NEGATIVE_INFINITY
    become(leading ? 'leading' : 'following')
    await publishPending()
  }

  /** The store is unavailable: a leader goes on until its lease ends; then each instance polls for itself. */
  function endure(requestedAt: number): void {
    unavailableSince ??= requestedAt
    const now = performance.now()
    if (!mayLead || hasStopped || now < leadsUntil) return
    if (role === 'leading' || now - unavailableSince >= timing.aloneAfterMs) become('alone')
  }

  async function checkOnce(): Promise<void> {
    const requestedAt = performance.now()
    try {
      const status = mayLead
        ? coordination.acquireLease('feed', timing.leaseMs)
        : coordination.leaseStatus('feed')
      await apply(await soon(status), requestedAt)
    } catch {
      endure(requestedAt)
    }
  }

  async function checkAndSchedule(): Promise<void> {
    clearTimeout(timer)
    isChecking = true
    do {
      mustCheck = false
      await checkOnce()
    } while (mustCheck && !hasStopped)
    isChecking = false
    if (hasStopped) return
    const isNotified = role === 'leading' || coordination.isConnected()
    timer = setTimeout(check, isNotified ? timing.checkEveryMs : timing.checkUnnotifiedEveryMs)
    timer.unref()
  }

  function check(): void {
    mustCheck = true
    if (!isChecking) checking = checkAndSchedule()
  }

  /** A message that cannot be published is sent with the next check. */
  async function publishPending(): Promise<void> {
    if (!isUnpublished || role !== 'leading') return
    isUnpublished = false
    const now = clock.now().getTime()
    const nextInMs = Math.max(0, (nextAt() ?? now) - now)
    const text = encode({ reading: latest.share() ?? null, health: health(), nextInMs })
    const number = await soon(coordination.publish(text)).catch(() => undefined)
    if (number === undefined) isUnpublished = true
    else messageNumber = number
  }

  return {
    role: () => role,
    /** The leader's polling, where this instance follows one. */
    leader: () => (role === 'following' && (mayLead || hasLeader) ? leader : undefined),
    /** Whether this instance may poll at this moment. */
    mayPoll: () => role === 'alone' || (role === 'leading' && performance.now() < leadsUntil),
    /** Joins the election, after a short wait at most for the store's first response. Never rejects. */
    async start(): Promise<void> {
      check()
      await checking
      if (hasStopped) return
      unsubscribe = coordination.subscribe(about => {
        if (about === 'live') check()
      })
    },
    /** Publishes what requests and operators see of the feed, after a check that this instance still leads. */
    publish(): void {
      isUnpublished = true
      if (!hasStopped) check()
    },
    /** Leaves, and releases the lease at once. Never rejects. */
    async stop(): Promise<void> {
      hasStopped = true
      unsubscribe()
      clearTimeout(timer)
      // A check under way could take the lease again after its release.
      const leaving = checking
        .then(publishPending)
        .then(() => (role === 'leading' ? coordination.releaseLease('feed') : undefined))
      await soon(leaving).catch(() => undefined)
    },
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
