import { errorCode } from '../../values/system/error-code.ts'

/** Why a fetch failed; stable, for metrics. */
export const FETCH_ERROR_KINDS = [
  'refused',
  'private',
  'timeout',
  'unreadable',
  'too-large',
  'status',
  'redirect',
  'type',
  'empty',
] as const
export type FetchErrorKind = (typeof FETCH_ERROR_KINDS)[number]

/** An address gave nothing that can be used. The message is for the operator: one line, no secrets. */
export class FetchError extends Error {
  override name = 'FetchError'
  readonly kind: FetchErrorKind
  /** The HTTP status, if the kind is `status`. */
  readonly status: number | undefined
  /** The server's Retry-After, in milliseconds. */
  readonly retryAfterMs: number | undefined
  constructor(
    kind: FetchErrorKind,
    message: string,
    more: { status?: number; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.status = more.status
    this.retryAfterMs = more.retryAfterMs
  }
}

const WORDS: Partial<Record<FetchErrorKind, string>> = {
  timeout: 'the server did not respond in time',
  'too-large': 'the headers of the response are too large',
  unreadable: 'the response cannot be read',
}

/** Converts an error of fetching to a {@link FetchError}. */
export function asFetchError(error: unknown): FetchError {
  if (error instanceof FetchError) return error
  const code = errorCode(error) ?? ''
  const kind = kindOf(code)
  const words = WORDS[kind] ?? 'the connection failed'
  const name = error instanceof Error ? error.name : typeof error
  return new FetchError(kind, `${words} (${code || name})`, { cause: error })
}

/** The responses of a fetch are longer than allowed. */
export const tooLarge = (maxBytes: number, cause?: unknown): FetchError =>
  new FetchError('too-large', `more than ${maxBytes} bytes were sent`, { cause })

/**
 * Connections fail with many codes. The codes of the HTTP parser begin with HPE_. An error without a code does not come
 * from the connection.
 */
function kindOf(code: string): FetchErrorKind {
  if (code === '' || code.startsWith('HPE_')) return 'unreadable'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large'
  return code === 'ETIMEDOUT' || /^UND_ERR_.*_TIMEOUT$/.test(code) ? 'timeout' : 'refused'
}
