import { type Clock, systemClock } from '../values/clock.ts'
import type { EventLog } from '../values/event-log.ts'
import { backoffMs, shortened } from '../values/retry.ts'
import { DAY_MS, HOUR_MS } from '../values/time-units.ts'
import { createMessage, type Notification } from './notification.ts'
import { sendWebhook, type Webhook, type WebhookMessage } from './webhook.ts'

/** Outcomes of notifications, and `retried` for each further attempt; for metrics. */
export const NOTIFICATION_OUTCOMES = ['delivered', 'retried', 'refused', 'expired', 'dropped'] as const

export type NotificationOutcome = (typeof NOTIFICATION_OUTCOMES)[number]

/** Sends notifications to the operator. A receiver that hangs or fails delays only notifications. */
export type Notifier = ReturnType<typeof createNotifier>

/** Callbacks to the sender of a notification. Neither rejects. */
export interface Delivery {
  /** Called before each attempt; false if another instance has already sent the notification. */
  isNews(): Promise<boolean>
  /** Called after delivery, or after giving up; not called if the service stops before either. */
  onSettled(outcome: 'delivered' | 'lost'): Promise<void>
}

export interface NotifierOptions {
  readonly webhook: Webhook
  readonly log: EventLog
  readonly onOutcome?: (outcome: NotificationOutcome) => void
  readonly clock?: Clock
  /** From 0 to just below 1. */
  readonly random?: () => number
  /** Time limit for one attempt. */
  readonly deadlineMs?: number
}

interface Pending extends WebhookMessage {
  readonly type: Notification['type']
  readonly delivery: Delivery | undefined
  readonly expiresAt: number
  dueAt: number
  attempts: number
  /** The attempt under way. */
  attempting?: Promise<void> | undefined
}

/** Waiting notifications beyond this number push out the oldest. */
export const MOST_PENDING = 100
const PAUSES = { firstMs: 5000, growth: 4, longestMs: HOUR_MS }
/** After this time a notification is given up: nobody would act on it. */
const EXPIRES_MS = DAY_MS
const LAST_ATTEMPT_MS = 2000

/**
 * Creates a notifier. Notifications go out one at a time. A failed one is retried after growing pauses, for a day.
 */
export function createNotifier(options: NotifierOptions) {
  const { webhook, log, onOutcome = () => {}, clock = systemClock, random = Math.random } = options
  const { deadlineMs } = options
  const pending = new Map<string, Pending>()
  const ended = new AbortController()
  let isStopping = false
  let isDelivering = false
  let timer: unknown

  const now = () => clock.now().getTime()

  async function attempt(message: Pending): Promise<void> {
    const { id, type, delivery, expiresAt } = message
    if ((await delivery?.isNews()) === false) {
      pending.delete(id)
      return
    }
    if (message.attempts++ > 0) onOutcome('retried')
    const sent = await sendWebhook(webhook, message, { now: clock.now(), deadlineMs, signal: ended.signal })
    if (sent.outcome === 'delivered') {
      if (!pending.delete(id)) return
      onOutcome('delivered')
      log.info({ event: 'notification-delivered', type, id }, 'the operator has been told')
      await delivery?.onSettled('delivered')
      return
    }
    const { reason } = sent
    if (sent.outcome === 'refused') lose(message, 'refused', reason)
    else if (isStopping) lose(message, 'dropped', `${reason}, and the service stops`)
    else if (now() >= expiresAt) lose(message, 'expired', reason)
    else {
      message.dueAt = now() + pauseAfter(message.attempts, sent.retryAfterMs, random)
      if (message.attempts > 1) return
      log.warn(
        { event: 'notification-delayed', type, id, reason },
        'a notification could not be sent; it is tried again for a day',
      )
    }
  }

  function lose({ id, type, delivery }: Pending, outcome: NotificationOutcome, reason: string): void {
    if (!pending.delete(id)) return
    onOutcome(outcome)
    log.error({ event: 'notification-lost', type, id, outcome, reason }, 'a notification was not delivered')
    if (!isStopping) void delivery?.onSettled('lost')
  }

  async function deliverDue(): Promise<void> {
    if (isDelivering) return
    isDelivering = true
    for (let message = firstDue(); message !== undefined; message = firstDue()) {
      message.attempting = attempt(message)
      await message.attempting
      message.attempting = undefined
    }
    isDelivering = false
    schedule()
  }

  const firstDue = (): Pending | undefined =>
    isStopping ? undefined : [...pending.values()].find(({ dueAt }) => dueAt <= now())

  function schedule(): void {
    clock.clearTimeout(timer)
    if (isStopping || pending.size === 0) return
    const dueAt = Math.min(...[...pending.values()].map(message => message.dueAt))
    timer = clock.setTimeout(() => void deliverDue(), Math.max(0, dueAt - now()))
  }

  return {
    /** Queues a notification, unless one with the same id is waiting. Returns at once. */
    notify(notification: Notification, delivery?: Delivery): void {
      const message = createMessage(notification, clock.now())
      const { id } = message
      if (isStopping || pending.has(id)) return
      const [oldest] = pending.values()
      if (oldest !== undefined && pending.size >= MOST_PENDING)
        lose(oldest, 'dropped', `more than ${MOST_PENDING} wait`)
      const { type } = notification
      const times = { attempts: 0, dueAt: now(), expiresAt: now() + EXPIRES_MS }
      pending.set(id, { ...message, type, delivery, ...times })
      void deliverDue()
    },
    /** Makes one last attempt for each pending notification, and ends within two seconds. */
    async stop(): Promise<void> {
      isStopping = true
      clock.clearTimeout(timer)
      const deadline = setTimeout(() => ended.abort(), LAST_ATTEMPT_MS)
      await Promise.all([...pending.values()].map(message => message.attempting ?? attempt(message)))
      clearTimeout(deadline)
    },
  }
}

/** Milliseconds from a failed attempt to the next. Retry-After can lengthen the pause, up to `longestMs`. */
function pauseAfter(attempts: number, retryAfterMs = 0, random: () => number): number {
  return Math.min(PAUSES.longestMs, Math.max(shortened(backoffMs(attempts, PAUSES), random), retryAfterMs))
}
