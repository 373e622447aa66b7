import type { Logger } from 'pino'
import type { ResponseRecord } from '../http/pipeline.ts'

/** Logs the beginning and the end of overload, with how many requests were refused. */
export const logOverload = (log: Logger) => (overloaded: boolean, refused: number) => {
  if (overloaded) log.warn({ event: 'overloaded' }, 'requests that would wait too long are refused')
  else log.info({ event: 'not-overloaded', refused }, 'no longer overloaded')
}

export type RequestLog = Pick<Logger, 'info' | 'isLevelEnabled'>

/**
 * Logs one line per request, without anything that identifies the client. Requests that are shed in overload are only
 * counted: there may be thousands a second.
 */
export function logResponse(log: RequestLog, { method, url, status, ms, problem }: ResponseRecord): void {
  if (problem === 'OVERLOADED' || !log.isLevelEnabled('info')) return
  log.info(
    // JSON escapes control characters; truncation keeps hostile URLs from filling the disk.
    { method, path: withoutPosition(url).slice(0, 200), status, ms: Math.round(ms * 100) / 100, problem },
    'request',
  )
}

/** `near` may be a person's position, to within metres. */
const withoutPosition = (url: string) => url.replace(/([?&]near=)[^&]*/g, '$1…')
