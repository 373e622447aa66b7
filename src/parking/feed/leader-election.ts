import type { Coordination, LeaseStatus, Message } from '../../store/coordination.ts'
import { within } from '../../values/promises.ts'
import type { FeedRole } from './feed.ts'
import type { FeedLog } from './poll-status.ts'

export interface LeaderElectionOptions {
  readonly coordination: Coordination
  /** False where this instance has no feed address, and so only follows. */
  readonly mayLead: boolean
  readonly log: FeedLog
  /** The message that this instance publishes as the leader. */
  readonly message: () => string
  /** Called at each response of the store, before the role changes. Must not reject. */
  readonly onConnected: () => Promise<void>
  /** Called with each new message, in order, before a change of role that goes with it. */
  readonly onMessage: (message: Message) => void
  readonly onRole: (role: FeedRole, before: FeedRole) => void
  readonly timing?: Partial<typeof TIMING> | undefined
}

/** Elects the instance that polls the feed, by a lease in the store, and carries its messages to the others. */
export interface LeaderElection {
  role(): FeedRole
  /** Whether any instance leads, as of the store's last response. */
  hasLeader(): boolean
  /** Whether this instance may poll at this moment. */
  mayPoll(): boolean
  /** Joins the election, after a short wait at most for the store's first response. Never rejects. */
  start(): Promise<void>
  /** Publishes the present message, after a check that this instance still leads. */
  publish(): void
  /** Leaves, and releases the lease at once. Never rejects. */
  stop(): Promise<void>
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

/** Creates a member of the election; it follows until it has started. */
export function joinElection(options: LeaderElectionOptions): LeaderElection {
  const { coordination, mayLead, log, message, onConnected, onMessage, onRole } = options
  const { leaseMs, checkEveryMs, checkUnnotifiedEveryMs, aloneAfterMs, timeoutMs } = {
    ...TIMING,
    ...options.timing,
  }
  let role: FeedRole = 'following'
  let hasLeader = false
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
    within(timeoutMs, promised, () => new Error('the store does not answer'))

  function become(next: FeedRole): void {
    if (next === role) return
    const before = role
    role = next
    log[next === 'alone' ? 'warn' : 'info']({ event: `feed-${next}` }, TEXTS[next])
    onRole(next, before)
  }

  /** Takes over the lease's status as of the time of the request. */
  async function apply({ leading, led, number }: LeaseStatus, requestedAt: number): Promise<void> {
    await onConnected()
    if (number !== messageNumber) {
      const latest = await soon(coordination.latestMessage())
      if (latest !== undefined) onMessage(latest)
      messageNumber = latest?.number ?? number
    }
    if (hasStopped) return
    unavailableSince = undefined
    hasLeader = led
    leadsUntil = leading ? requestedAt + leaseMs : Number.NEGATIVE_INFINITY
    become(leading ? 'leading' : 'following')
    await publishPending()
  }

  /** The store is unavailable: a leader goes on until its lease ends; then each instance polls for itself. */
  function endure(requestedAt: number): void {
    unavailableSince ??= requestedAt
    const now = performance.now()
    if (!mayLead || hasStopped || now < leadsUntil) return
    if (role === 'leading' || now - unavailableSince >= aloneAfterMs) become('alone')
  }

  async function checkOnce(): Promise<void> {
    const requestedAt = performance.now()
    try {
      await apply(
        await soon(mayLead ? coordination.acquireLease(leaseMs) : coordination.leaseStatus()),
        requestedAt,
      )
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
    timer = setTimeout(check, isNotified ? checkEveryMs : checkUnnotifiedEveryMs)
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
    const number = await soon(coordination.publish(message())).catch(() => undefined)
    if (number === undefined) isUnpublished = true
    else messageNumber = number
  }

  return {
    role: () => role,
    hasLeader: () => hasLeader,
    mayPoll: () => role === 'alone' || (role === 'leading' && performance.now() < leadsUntil),
    async start() {
      check()
      await checking
      if (hasStopped) return
      unsubscribe = coordination.subscribe(about => {
        if (about === 'live') check()
      })
    },
    publish() {
      isUnpublished = true
      if (!hasStopped) check()
    },
    async stop() {
      hasStopped = true
      unsubscribe()
      clearTimeout(timer)
      // A check under way could take the lease again after its release.
      const leaving = checking
        .then(publishPending)
        .then(() => (role === 'leading' ? coordination.releaseLease() : undefined))
      await soon(leaving).catch(() => undefined)
    },
  }
}
