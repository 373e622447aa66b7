import type { Coordination, LeaseStatus } from '../../store/coordination.ts'
import { keepLease } from '../../store/keep-lease.ts'
import type { Clock } from '../../values/clock.ts'
import type { EventLog } from '../../values/event-log.ts'
import type { FeedRole } from './feed.ts'
import type { LatestObservation, SharedObservation } from './latest-observation.ts'
import type { PollHealth } from './poll-status.ts'

export interface SharedFeedOptions {
  readonly coordination: Coordination
  readonly clock: Clock
  readonly log: EventLog
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
 * Shares the feed with the other instances of a store. The instance that holds the lease leads: it polls the feed and publishes
 * each reading as a message. The others follow its messages. An instance follows until it has started.
 */
export function shareFeed(options: SharedFeedOptions) {
  const { coordination, clock, log, latest, mayLead, health, nextAt, onRole } = options
  const timing = { ...TIMING, ...options.timing }
  let role: FeedRole = 'following'
  /** The last message of the instance that leads, where this one follows. */
  let leader: { readonly health: PollHealth; readonly nextAt: number } | undefined
  let messageNumber: number | undefined
  let isUnpublished = false
  let reachedAt = performance.now()
  let unsubscribe = () => {}

  const lease = keepLease({
    ...timing,
    lease: 'feed',
    leases: mayLead ? coordination : { ...coordination, acquireLease: coordination.leaseStatus },
    everyMs: () =>
      role === 'leading' || coordination.isConnected() ? timing.checkEveryMs : timing.checkUnnotifiedEveryMs,
    async onRenewal(status, signal) {
      if (status === undefined) return endure()
      await apply(status, signal).catch(() => {
        if (!signal.aborted) endure()
      })
    },
  })

  function become(next: FeedRole): void {
    if (next === role) return
    const before = role
    const known = leader?.health
    role = next
    // The message will be outdated when this instance follows again.
    if (role !== 'following') leader = undefined
    log[role === 'alone' ? 'warn' : 'info']({ event: `feed-${role}` }, TEXTS[role])
    onRole(role, before, known)
  }

  /** Takes over the lease's status; a new message goes before a change of role. */
  async function apply({ leading, led, number }: LeaseStatus, signal: AbortSignal): Promise<void> {
    await latest.load()
    if (number !== messageNumber) messageNumber = (await receive()) ?? number
    if (signal.aborted) return
    reachedAt = performance.now()
    if (!led) leader = undefined
    become(leading ? 'leading' : 'following')
    await publishPending()
  }

  /** Takes over the message published last, and resolves to its number. */
  async function receive(): Promise<number | undefined> {
    const published = await lease.soon(coordination.latestMessage())
    if (published === undefined) return undefined
    const { text, ageMs, number } = published
    const message = decode(text)
    if (message === undefined) return number
    leader = { health: message.health, nextAt: clock.now().getTime() - ageMs + message.nextInMs }
    if (message.reading !== null) latest.adopt(message.reading)
    return number
  }

  /** The store cannot be reached: a leader goes on until its lease ends; then each instance polls for itself. */
  function endure(): void {
    const mayWait = role === 'leading' ? lease.isHeld() : performance.now() - reachedAt < timing.aloneAfterMs
    if (mayLead && !mayWait) become('alone')
  }

  /** A message that cannot be published is sent with the next renewal. */
  async function publishPending(): Promise<void> {
    if (!isUnpublished || role !== 'leading') return
    isUnpublished = false
    const now = clock.now().getTime()
    const nextInMs = Math.max(0, (nextAt() ?? now) - now)
    const text = encode({ reading: latest.share() ?? null, health: health(), nextInMs })
    const number = await lease.soon(coordination.publish(text)).catch(() => undefined)
    if (number === undefined) isUnpublished = true
    else messageNumber = number
  }

  return {
    role: () => role,
    /** The leader's polling, where this instance follows one. */
    leader: () => (role === 'following' ? leader : undefined),
    /** Whether this instance may poll at this moment. */
    mayPoll: () => role === 'alone' || lease.isHeld(),
    /** Joins the election, after a short wait at most for the store's first response. Never rejects. */
    async start(): Promise<void> {
      unsubscribe = coordination.subscribe(about => {
        if (about === 'live') void lease.renew()
      })
      await lease.start()
    },
    /** Publishes the state of the feed, after a renewal that shows that this instance still leads. */
    publish(): void {
      isUnpublished = true
      void lease.renew()
    },
    /** Leaves, and releases the lease at once. Never rejects. */
    async stop(): Promise<void> {
      unsubscribe()
      await lease.stop(publishPending)
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
  const { form, ...message } = JSON.parse(text)
  return form === FORM ? message : undefined
}
