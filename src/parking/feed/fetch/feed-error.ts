/** Why a poll failed; stable, for metrics. */
export type FeedErrorKind =
  | 'refused'
  | 'timeout'
  | 'status'
  | 'redirect'
  | 'type'
  | 'too-large'
  | 'unreadable'
  | 'empty'

/** The feed gave nothing that can be served. The message is for the operator: one line, no secrets. */
export class FeedError extends Error {
  override name = 'FeedError'
  readonly kind: FeedErrorKind
  /** The HTTP status, where the kind is `status` or `redirect`. */
  readonly status: number | undefined
  /** The feed's Retry-After, in milliseconds. */
  readonly retryAfterMs: number | undefined
  constructor(kind: FeedErrorKind, message: string, more: FeedErrorDetails = {}) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.status = more.status
    this.retryAfterMs = more.retryAfterMs
  }
}

interface FeedErrorDetails {
  readonly status?: number
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

const KIND_BY_CODE: ReadonlyMap<string, FeedErrorKind> = new Map([
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too-large'],
])

const WORDS: Partial<Record<FeedErrorKind, string>> = {
  timeout: 'the feed did not answer in time',
  'too-large': 'the headers of the answer are too large',
  unreadable: 'the answer cannot be read',
}

/** Converts an error of fetching to a {@link FeedError}. */
export function asFeedError(error: unknown): FeedError {
  if (error instanceof FeedError) return error
  const code = codeOf(error)
  const kind = kindOf(code)
  const words = WORDS[kind] ?? 'the connection to the feed failed'
  return new FeedError(kind, `${words} (${code ?? nameOf(error)})`, { cause: error })
}

/** Connections fail with many codes, the parser's begin with HPE_; an error without a code is not the connection's. */
function kindOf(code: string | undefined): FeedErrorKind {
  if (code === undefined || code.startsWith('HPE_')) return 'unreadable'
  return KIND_BY_CODE.get(code) ?? 'refused'
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)
