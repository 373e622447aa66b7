import type { Logger } from 'pino'
import type { ResponseRecord } from '../http/pipeline.ts'
import type { ResetReason } from '../http/unread-responses.ts'
import { MINUTE_MS } from '../values/time-units.ts'

/** Logs the beginning and the end of overload, with how many requests were refused. */
export const logOverload = (log: Logger) => (overloaded: boolean, refused: number) => {
  if (overloaded) log.warn({ event: 'overloaded' }, 'requests that would wait too long are refused')
  else log.info({ event: 'not-overloaded', refused }, 'no longer overloaded')
}

type RequestLog = Pick<Logger, 'info' | 'isLevelEnabled'>

/**
 * Logs one line per request, without anything that identifies the client. Requests that are shed in overload are only
 * counted: there may be thousands a second.
 */
export function logResponse(log: RequestLog, record: ResponseRecord): void {
  const { method, url, status, ms, problem, traceId } = record
  if (problem === 'OVERLOADED' || !log.isLevelEnabled('info')) return
  // JSON escapes control characters; truncation keeps hostile URLs from filling the disk.
  const path = withoutPosition(url).slice(0, 200)
  log.info({ method, path, status, ms: Math.round(ms * 100) / 100, problem, traceId }, 'request')
}

/** `near` may be a person's position, to within metres. */
const withoutPosition = (url: string) => url.replace(/([?&]near=)[^&]*/g, '$1…')

/** Why a connection was reset; `pipelining` means too many waiting requests. */
type ConnectionReset = ResetReason | 'pipelining'

export const CONNECTION_RESETS: readonly ConnectionReset[] = ['slow', 'memory', 'pipelining']

interface ConnectionFaults {
  readonly onReset: (reason: ConnectionReset) => void
  readonly onRefused: (error?: Error) => void
}

/** Counts each reset or refused connection, and logs the beginning and the end of each spell. */
export function reportConnections(log: Logger, count: ConnectionFaults): ConnectionFaults {
  const noteReset = trackSpell({
    onBegin: () =>
      log.warn({ event: 'connections-reset' }, 'connections are reset whose clients leave responses unread'),
    onEnd: connections =>
      log.info({ event: 'connections-read', connections }, 'no connection was reset for a minute'),
  })
  let reason: string | undefined
  const noteRefused = trackSpell({
    onBegin: () => log.warn({ event: 'connections-refused', reason }, 'new connections are refused'),
    onEnd: connections =>
      log.info({ event: 'connections-accepted', connections }, 'no connection was refused for a minute'),
  })
  return {
    onReset(why) {
      count.onReset(why)
      noteReset()
    },
    onRefused(error) {
      reason = error === undefined ? 'too many are open' : error.message
      count.onRefused(error)
      noteRefused()
    },
  }
}

/** Called when a spell of faults begins, and when it has ended, with the number of its faults. */
interface SpellHandlers {
  readonly onBegin: () => void
  readonly onEnd: (faults: number) => void
  /** A spell ends when this many milliseconds have passed without a fault. */
  readonly quietMs?: number
}

/** Returns a function that records one fault. Successive faults form one spell and are reported together. */
export function trackSpell({ onBegin, onEnd, quietMs = MINUTE_MS }: SpellHandlers): () => void {
  let faults = 0
  let ending: NodeJS.Timeout | undefined
  return () => {
    faults++
    if (ending !== undefined) {
      ending.refresh()
      return
    }
    onBegin()
    ending = setTimeout(() => {
      ending = undefined
      onEnd(faults)
      faults = 0
    }, quietMs).unref()
  }
}
