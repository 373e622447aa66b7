import type { IncomingHttpHeaders } from 'node:http'

/**
 * Reads Retry-After (RFC 9110 10.2.3) in milliseconds; undefined where it is absent. A date is compared with the
 * response's own `Date`, so that the clocks of the two machines need not agree.
 */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  // The forms of RFC 9110 5.6.7 begin with a weekday; Date.parse accepts others too.
  const at = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) return undefined
  const sent = Date.parse(headers.date ?? '')
  return Math.max(0, at - (Number.isNaN(sent) ? now : sent))
}
