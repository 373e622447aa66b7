/** Why a poll failed; stable, for metrics. */
export type FeedErrorKind =
  | ('refused' | 'timeout' | 'unreadable' | 'too-large')
  | ('status' | 'redirect' | 'type' | 'empty')

/** The feed gave nothing that can be served. The message is for the operator: one line, no secrets. */
export class FeedError extends Error {
  override name = 'FeedError'
  readonly kind: FeedErrorKind
  /** The HTTP status, where the kind is `status` or `redirect`. */
  readonly status: number | undefined
  /** The feed's Retry-After, in milliseconds. */
  readonly retryAfterMs: number | undefined
  constructor(
    kind: FeedErrorKind,
    message: string,
    more: { status?: number; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.status = more.status
    this.retryAfterMs = more.retryAfterMs
  }
}

const WORDS: Partial<Record<FeedErrorKind, string>> = {
  timeout: 'the feed did not respond in time',
  'too-large': 'the headers of the response are too large',
  unreadable: 'the response cannot be read',
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
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large'
  return code === 'ETIMEDOUT' || /^UND_ERR_.*_TIMEOUT$/.test(code) ? 'timeout' : 'refused'
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)
