import type { Client, QueryResult } from 'pg'
import { within } from '../../../values/deadline.ts'
import { StoreBusyError } from '../../store.ts'
import type { Host, Target } from './address.ts'
import { sqlState } from './faults.ts'
import { makePulse } from './heartbeat.ts'
import { type Lending, openLending, type Purpose } from './pool.ts'
import { type Attempt, WrongRoleError } from './session-role.ts'
import { watchWaits } from './slow-query-watchdog.ts'

/** A connection lent out. */
export interface Lent {
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>
  /** Hands it back; one that is of no more use is ended. */
  release(isBroken?: boolean): void
}

/** Since when and why a server cannot be asked. */
export interface Away {
  readonly since: Date
  readonly reason: unknown
}

/** One server, which may go away and come back. */
export interface Server {
  readonly host: Host
  /** Lends a connection out: soon, or not at all. Throws why not, at once where that is known. */
  lend(purpose: Purpose): Promise<Lent>
  /** Undefined while it can be asked, or nobody has tried. */
  away(): Away | undefined
  /** Something that is the same for as long as the server has not been away. */
  session(): object
  /** Tries soon whether it is back. */
  hurry(): void
  end(): Promise<void>
}

export type ServerCheck = (client: Client) => Promise<void>

/** What waits for longer makes the pulse be felt; both together leave a request time to answer within a second. */
const SLOW_MS = 200
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 800
/** One that is there but has another role will have it for long. */
const OTHER_ROLE_RETRY_MS = 5000
/** After so long without a failure, the next one is taken for the first. */
const SOUND_AFTER_MS = 10_000

/**
 * Knows of a server whether it is away. A question that takes long and a server that is frozen look alike, so while
 * anything waits for long its pulse is felt. Without one every connection is cut, so that nobody waits for it; whoever
 * comes is told at once, and it is tried again and again until it is back. `check` throws where it will not do.
 */
export function openServer(target: Target, attempt: Attempt, check?: ServerCheck): Server {
  const lendings = new Map<Purpose, Lending>()
  const pulse = makePulse(target, attempt, { check, onLost: findAgain })
  const waits = watchWaits(SLOW_MS, feel)
  let session: object | undefined
  let away: Away | undefined
  let changedAt = Number.NEGATIVE_INFINITY
  let retryMs = 0
  let retryAt = 0
  let retry: NodeJS.Timeout | undefined
  let isFeeling = false
  let ended = false

  function leave(reason: unknown): void {
    if (away !== undefined || ended) return
    away = { since: new Date(), reason }
    session = undefined
    const wasSound = performance.now() - changedAt >= SOUND_AFTER_MS
    retryMs = wasSound ? 0 : Math.max(retryMs, FIRST_RETRY_MS)
    changedAt = performance.now()
    pulse.close()
    for (const lending of lendings.values()) lending.cut(reason)
    lendings.clear()
    tryIn(retryMs)
  }

  function tryIn(milliseconds: number): void {
    clearTimeout(retry)
    retryAt = performance.now() + milliseconds
    retry = setTimeout(comeBack, milliseconds)
    retry.unref()
  }

  async function comeBack(): Promise<void> {
    try {
      await pulse.open()
      session = {}
      away = undefined
      changedAt = performance.now()
    } catch (reason) {
      if (ended || away === undefined) return
      away = { ...away, reason }
      const longest = reason instanceof WrongRoleError ? OTHER_ROLE_RETRY_MS : LONGEST_RETRY_MS
      retryMs = Math.min(Math.max(2 * retryMs, FIRST_RETRY_MS), longest)
      tryIn(retryMs)
    }
  }

  function feel(): void {
    if (isFeeling || away !== undefined || ended) return
    isFeeling = true
    void within(target.pulseMs, pulse.beat(), noPulse)
      .catch(leave)
      .finally(() => {
        isFeeling = false
      })
  }

  /** The pulse is lost: where it is not to be had again, the server is away. */
  function findAgain(): void {
    if (away !== undefined || ended) return
    pulse.open().then(() => {
      // It may have been made anew meanwhile.
      session = {}
    }, leave)
  }

  function lendingFor(purpose: Purpose): Lending {
    const known = lendings.get(purpose)
    if (known !== undefined) return known
    const lending = openLending(target, attempt, purpose)
    lendings.set(purpose, lending)
    return lending
  }

  async function lendNow(purpose: Purpose): Promise<Lent> {
    if (away !== undefined) throw away.reason
    if (ended) throw new Error('Client was closed')
    try {
      if (session === undefined) {
        await pulse.open()
        session ??= {}
      }
      const client = await lendingFor(purpose).lend()
      return {
        query: (text, values) => waits.during(client.query(text, values as unknown[])),
        release: isBroken => client.release(isBroken),
      }
    } catch (error) {
      if (saysAway(error)) leave(error)
      throw error
    }
  }

  return {
    host: attempt,
    lend: purpose => (away === undefined ? waits.during(lendNow(purpose)) : lendNow(purpose)),
    away: () => away,
    session: () => session ?? pulse,
    hurry() {
      if (away !== undefined && retryAt - performance.now() > LONGEST_RETRY_MS) tryIn(FIRST_RETRY_MS)
    },
    async end() {
      ended = true
      clearTimeout(retry)
      await Promise.all([...lendings.values()].map(lending => lending.end()))
      pulse.close()
    },
  }
}

const noPulse = () => new Error('timeout: the server has no pulse')

/** Whether a connection cannot be had because of the server, and not for its want of connections. */
const saysAway = (error: unknown): boolean =>
  !(error instanceof StoreBusyError) && !sqlState(error)?.startsWith('53')
