/**
 * The registry of problems: every error response is one of these. `code` is stable; consumers may branch on it. A test
 * compares docs/reference/problems.md and OpenAPI with this list.
 */
export const PROBLEMS = {
  INVALID_PARAMETER: {
    status: 400,
    title: 'Invalid parameter',
    hint: 'Each entry of "errors" names the parameter, the value and what is allowed.',
  },
  UNKNOWN_PARAMETER: {
    status: 400,
    title: 'Unknown parameter',
    hint: 'Sent under /ogc, and elsewhere with "Prefer: handling=strict"; without it unknown parameters are ignored and named in the header Ignored-Parameters.',
  },
  BAD_REQUEST: {
    status: 400,
    title: 'Invalid HTTP request',
    hint: 'Send one Host header, a request line with HTTP/1.0 or HTTP/1.1, and a path with valid percent-encoding.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    hint: 'GET /v1/datasets lists the datasets and their paths.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    hint: 'The service is read-only: use GET, HEAD or OPTIONS, and POST at /mcp alone.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: 'Not acceptable',
    hint: 'Most endpoints return application/json: send "Accept: application/json" or no Accept header, or choose one of the formats listed.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request timeout',
    hint: 'Headers must arrive within 4 seconds, the whole request within 5.',
  },
  CURSOR_EXPIRED: {
    status: 410,
    title: 'Cursor expired',
    hint: 'A cursor is good for an hour after a newer release. Begin again with cursor=*.',
  },
  CHANGES_GONE: {
    status: 410,
    title: 'Changes no longer kept',
    hint: 'Read the whole list, then ask for changes since the release that it is of: GET /v1/datasets has its number.',
  },
  RECORD_REMOVED: {
    status: 410,
    title: 'No longer listed',
    hint: 'Remove your copy. The member "removed" has the name, when it left the list, and the nearest that are still listed.',
  },
  CONTENT_TOO_LARGE: {
    status: 413,
    title: 'Content too large',
    hint: 'Only /mcp reads a body, of at most 64 KiB: send one message in each request.',
  },
  URI_TOO_LONG: {
    status: 414,
    title: 'URL too long',
    hint: 'Each variable part of the path may have at most 100 characters.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: 'Range not satisfiable',
    hint: 'The header Content-Range has the length of the file: ask for bytes before that.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    hint: 'Only /mcp reads a body: send "Content-Type: application/json", without Content-Encoding.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    hint: 'Wait for the seconds in the header Retry-After. Larger pages (limit) need fewer requests.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'Request headers too large',
    hint: 'At most 100 headers, with at most 8 KiB together: send fewer cookies and shorter queries.',
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Internal error',
    hint: 'Try again later. The operator can find the cause in the log.',
  },
  OVERLOADED: {
    status: 503,
    title: 'Service overloaded',
    hint: 'Wait for the seconds in the header Retry-After, then try again.',
  },
  DATASET_UNAVAILABLE: {
    status: 503,
    title: 'Dataset unavailable',
    hint: 'It has not been published yet, cannot be read at the moment, or the operator has taken it out of service. Try again after the seconds in Retry-After.',
  },
} as const satisfies Record<string, ProblemKind>

interface ProblemKind {
  readonly status: number
  readonly title: string
  /** Advice for the consumer. */
  readonly hint: string
}

export type ProblemCode = keyof typeof PROBLEMS

/** The mistake in one parameter. */
export interface ParameterError {
  readonly parameter: string
  /** The value as sent, cut at 100 characters. */
  readonly value?: string | undefined
  readonly detail: string
  readonly allowed?: string
  /** The allowed value, or the known parameter, that may have been meant. */
  readonly nearest?: string | undefined
}

/** The optional parts of a problem. `retryAfterS` is the seconds of Retry-After. */
interface ProblemParts {
  readonly errors?: readonly ParameterError[]
  readonly removed?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly retryAfterS?: number
}

/** The limit is an extension of V8, which the types of browsers lack. */
const ERROR_CLASS: { readonly prototype: Error; stackTraceLimit?: number | undefined } = Error

/** An error in a client's request. It has no stack trace: nobody reads one, and it costs more than the rest of the response. */
export class StacklessError extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = ERROR_CLASS
    ERROR_CLASS.stackTraceLimit = 0
    super(message)
    ERROR_CLASS.stackTraceLimit = stackTraceLimit
  }
}

/** An error that becomes a response, as `application/problem+json` (RFC 9457). */
export class Problem extends StacklessError {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly status: number
  readonly errors: readonly ParameterError[] | undefined
  /** The place that has left its list, as the schema of the body describes it. */
  readonly removed: object | undefined
  /** Headers of the response, such as Retry-After and Allow. */
  readonly headers: Readonly<Record<string, string>>
  constructor(code: ProblemCode, detail: string, parts: ProblemParts = {}) {
    const { errors, removed, headers = {}, retryAfterS } = parts
    super(detail)
    this.code = code
    this.status = PROBLEMS[code].status
    this.errors = errors
    this.removed = removed
    this.headers = retryAfterS === undefined ? headers : { 'retry-after': String(retryAfterS) }
  }
}

/** The problem NOT_FOUND for a variable part of a path that does not exist. */
export function notFound(detail: string, { value, nearest, ...error }: ParameterError): Problem {
  return new Problem('NOT_FOUND', detail, { errors: [{ ...error, value: value?.slice(0, 100), nearest }] })
}
