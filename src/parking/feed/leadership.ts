import type { Coordination, LeaseStatus, Message } from '../../store/coordination.ts'
import { within } from '../../values/deadline.ts'
import type { FeedRole } from '../live-view.ts'
import type { FeedLog } from './poll-status.ts'

export interface LeadershipOptions {
  readonly instances: Coordination
  /** False where this instance cannot ask the feed, and so only listens. */
  readonly mayLead: boolean
  readonly log: FeedLog
  /** What this instance has to tell while it leads. */
  readonly word: () => string
  /** Called whenever the others can be asked, before anything else comes of it. Must not reject. */
  readonly onReached: () => Promise<void>
  /** Called with each word that is found, in turn, before a change of role that goes with it. */
  readonly onTold: (told: Message) => void
  readonly onRole: (role: FeedRole, before: FeedRole) => void
  readonly timing?: Partial<typeof TIMING> | undefined
}

/** Which of the instances asks the feed, and its word to the others. */
export interface Leadership {
  role(): FeedRole
  /** Whether any instance leads, as far as is known. */
  isLed(): boolean
  /** Whether this one may ask the feed at this very moment. */
  mayPoll(): boolean
  /** Finds out how things stand, for a moment at most, and goes on doing so. Never rejects. */
  start(): Promise<void>
  /** There is something new to tell. */
  tell(): void
  /** Goes on no more, and lets another lead at once. Never rejects. */
  stop(): Promise<void>
}

const TIMING = {
  /** Who leads loses that if it does not ask for it again for so long: it is stopped, gone or cut off. */
  leaseMs: 5000,
  /** How often it is asked who leads; sooner where there is news. */
  everyMs: 1500,
  /** How often where no news comes by itself, so that a reading is everywhere within a second. */
  unheardEveryMs: 500,
  /** Who cannot ask for so long asks the feed itself, lest its readings grow old. */
  aloneAfterMs: 10_000,
  /** The longest that an answer is waited for. */
  patienceMs: 2000,
}

const TEXTS: Readonly<Record<FeedRole, string>> = {
  leading: 'this instance asks the live feed, for all',
  following: 'another instance asks the live feed',
  alone: 'the instances cannot tell each other what the live feed says: this one asks for itself',
}

/** Makes the part that an instance plays; it follows until it has started. */
export function takePart(options: LeadershipOptions): Leadership {
  const { instances, mayLead, log, word, onReached, onTold, onRole } = options
  const { leaseMs, everyMs, unheardEveryMs, aloneAfterMs, patienceMs } = { ...TIMING, ...options.timing }
  let role: FeedRole = 'following'
  let isLed = false
  let leadsUntil = Number.NEGATIVE_INFINITY
  let awaySince: number | undefined
  let seen: number | undefined
  let isUntold = false
  let telling: Promise<void> | undefined
  let looking: Promise<void> = Promise.resolve()
  let isLooking = false
  let isNews = false
  let timer: NodeJS.Timeout | undefined
  let hasStopped = false
  let forget = () => {}

  const soon = <T>(promised: Promise<T>): Promise<T> =>
    within(patienceMs, promised, () => new Error('the store does not answer'))

  function become(next: FeedRole): void {
    if (next === role) return
    const before = role
    role = next
    log[next === 'alone' ? 'warn' : 'info']({ event: `feed-${next}` }, TEXTS[next])
    onRole(next, before)
  }

  /** Takes in how things stand, as they did when it was asked. */
  async function takeIn({ leading, led, number }: LeaseStatus, askedAt: number): Promise<void> {
    await onReached()
    if (number !== seen) {
      const told = await soon(instances.latestMessage())
      if (told !== undefined) onTold(told)
      seen = told?.number ?? number
    }
    if (hasStopped) return
    awaySince = undefined
    isLed = led
    leadsUntil = leading ? askedAt + leaseMs : Number.NEGATIVE_INFINITY
    become(leading ? 'leading' : 'following')
    if (isUntold) await flush()
  }

  /** Nobody can be asked: who leads does so for as long as nobody else can; then each is on its own. */
  function endure(askedAt: number): void {
    awaySince ??= askedAt
    const now = performance.now()
    if (!mayLead || hasStopped || now < leadsUntil) return
    if (role === 'leading' || now - awaySince >= aloneAfterMs) become('alone')
  }

  async function lookOnce(): Promise<void> {
    const askedAt = performance.now()
    try {
      await takeIn(await soon(mayLead ? instances.acquireLease(leaseMs) : instances.leaseStatus()), askedAt)
    } catch {
      endure(askedAt)
    }
  }

  async function lookOn(): Promise<void> {
    clearTimeout(timer)
    isLooking = true
    do {
      isNews = false
      await lookOnce()
    } while (isNews && !hasStopped)
    isLooking = false
    if (hasStopped) return
    timer = setTimeout(look, role === 'leading' || instances.isConnected() ? everyMs : unheardEveryMs)
    timer.unref()
  }

  function look(): void {
    isNews = true
    if (!isLooking) looking = lookOn()
  }

  async function flush(): Promise<void> {
    telling ??= tellAll().finally(() => {
      telling = undefined
    })
    await telling
  }

  async function tellAll(): Promise<void> {
    while (isUntold && role === 'leading') {
      isUntold = false
      const number = await soon(instances.publish(word())).catch(() => undefined)
      if (number === undefined) {
        isUntold = true
        return
      }
      seen = number
    }
  }

  return {
    role: () => role,
    isLed: () => isLed,
    mayPoll: () => role === 'alone' || (role === 'leading' && performance.now() < leadsUntil),
    async start() {
      look()
      await looking
      if (hasStopped) return
      forget = instances.subscribe(about => {
        if (about === 'live') look()
      })
    },
    tell() {
      isUntold = true
      void flush()
    },
    async stop() {
      hasStopped = true
      forget()
      clearTimeout(timer)
      // What is under way could take the right again after it was handed back.
      const leaving = looking
        .then(flush)
        .then(() => (role === 'leading' ? instances.releaseLease() : undefined))
      await soon(leaving).catch(() => undefined)
    },
  }
}
