import type { components } from './schema.ts'

type Problem = components['schemas']['Problem']

/** An answer that is an error, with what its problem (RFC 9457) says. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  /** The HTTP status. */
  readonly status: number
  /** The kind of problem, stable: branch on this. Undefined where the answer is no problem, such as a proxy's page. */
  readonly code: Problem['code'] | undefined
  /** What is wrong with the request. */
  readonly detail: string
  /** What you can do about it. */
  readonly hint: string | undefined
  /** What is wrong with each parameter, and what is allowed. */
  readonly errors: NonNullable<Problem['errors']>
  /** Seconds after which the service wants to be asked again, where it says so. */
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

/** Retry-After in seconds or as a date (RFC 9110 10.2.3); without it the end of a window of RateLimit that is used up. */
function secondsToWait(headers: Headers, now: number): number | undefined {
  const asked = headers.get('retry-after')
  if (asked === null) {
    const [, seconds] = /;\s*r=0\s*;\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
    return seconds === undefined ? undefined : Number(seconds)
  }
  const seconds = /^\d+$/.test(asked) ? Number(asked) : (Date.parse(asked) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}
