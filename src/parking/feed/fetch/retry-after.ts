import type { IncomingHttpHeaders } from 'node:http'

/**
 * How long an answer asks to be left alone, in milliseconds (RFC 9110 10.2.3); undefined where it does not say. A date is
 * taken against the answer's own `Date`, so that the two machines' clocks need not agree.
 */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  // Only the forms that RFC 9110 5.6.7 knows begin with a weekday; Date.parse knows more.
  const at = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) return undefined
  const sent = Date.parse(headers.date ?? '')
  return Math.max(0, at - (Number.isNaN(sent) ? now : sent))
}
