import { errorCode } from '../values/system/error-code.ts'
/** The kinds of failure. Metrics have a series for each. */
export const FAILURE_KINDS = ['connection', 'timeout', 'rights', 'readonly', 'memory', 'reply'] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

/** Redis failed. The message is safe to log: it contains at most one known keyword of the reply. */
export class RedisFailure extends Error {
  override name = 'RedisFailure'
  readonly kind: FailureKind
  constructor(kind: FailureKind, word?: string) {
    super(word === undefined ? MESSAGES[kind] : `${MESSAGES[kind]} (${word})`)
    this.kind = kind
  }
}

const MESSAGES: Readonly<Record<FailureKind, string>> = {
  connection: 'the connection to Redis failed',
  timeout: 'Redis did not reply in time',
  rights: 'Redis rejected the user and password, or the user lacks permissions',
  readonly: 'Redis is a read-only replica',
  memory: 'Redis has no memory left',
  reply: 'Redis sent an unexpected reply',
}

/** Keywords of errors by kind. Redis puts the keyword first; older versions wrap it in the script's error. */
const KEYWORDS: readonly (readonly [FailureKind, RegExp])[] = [
  ['rights', /\b(?:WRONGPASS|NOAUTH|NOPERM)\b/],
  ['readonly', /\bREADONLY\b/],
  ['memory', /\bOOM\b/],
  [
    'reply',
    /\b(?:LOADING|MISCONF|CLUSTERDOWN|MASTERDOWN|NOREPLICAS|BUSY|WRONGTYPE|MOVED|UNKILLABLE|DB index is out of range)\b/,
  ],
  ['connection', /\bE[A-Z]{4,20}\b/],
]

/** Classifies an error of the client library. */
export function failureOf(error: unknown): RedisFailure {
  if (error instanceof RedisFailure) return error
  const { name, message = '' }: Partial<Error> = error instanceof Error ? error : {}
  const code = errorCode(error)
  // Only socket and TLS errors have a code.
  if (code !== undefined) return new RedisFailure('connection', code)
  for (const [kind, words] of KEYWORDS) {
    const word = words.exec(message)?.[0]
    if (word !== undefined) return new RedisFailure(kind, word)
  }
  if (name === 'ReplyError') return new RedisFailure(/password|auth/i.test(message) ? 'rights' : 'reply')
  if (message === 'Command timed out') return new RedisFailure('timeout')
  return new RedisFailure(/^(?:Unknown RESP type|Command queue state)/.test(message) ? 'reply' : 'connection')
}
