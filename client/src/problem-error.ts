import type { components } from './schema.ts'

type Problem = components['schemas']['Problem']

/** An error of the service, with the content of its problem (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  /** The HTTP status. */
  readonly status: number
  /** The kind of problem. It never changes: branch on this. Undefined if the answer is not a problem, such as a proxy's page. */
  readonly code: Problem['code'] | undefined
  /** The fault of the request. */
  readonly detail: string
  /** The remedy. */
  readonly hint: string | undefined
  /** The fault of each wrong parameter, and the allowed values. */
  readonly errors: NonNullable<Problem['errors']>
  /** Seconds to wait before the next request, if the service says so. */
  readonly retryAfter: number | undefined

  constructor(response: Response, body: unknown, now = Date.now()) {
    const { code, title, detail, hint, errors = [] } = isProblem(body) ? body : ({} as Partial<Problem>)
    const explained = detail ?? `${response.url} gave ${response.status} without a reason`
    super(title === undefined ? explained : `${title}: ${explained}`)
    this.status = response.status
    this.code = code
    this.detail = explained
    this.hint = hint
    this.errors = errors
    this.retryAfter = secondsToWait(response.headers, now)
  }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && typeof (body as Problem).code === 'string'

/** Retry-After in seconds or as a date (RFC 9110 10.2.3). Without this header, the end of an exhausted window of RateLimit. */
function secondsToWait(headers: Headers, now: number): number | undefined {
  const asked = headers.get('retry-after')
  if (asked === null) {
    const [, seconds] = /;\s*r=0\s*;\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
    return seconds === undefined ? undefined : Number(seconds)
  }
  const seconds = /^\d+$/.test(asked) ? Number(asked) : (Date.parse(asked) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}
