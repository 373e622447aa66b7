import { createHmac } from 'node:crypto'
import { basicAuthorization, readRetryAfter } from '../sources/fetch/open-address.ts'
import { shownAddress } from '../values/addresses/shown-address.ts'
import { errorCode } from '../values/system/error-code.ts'
import { webhookKey } from '../values/webhook-secret.ts'

/** The receiver's address, and the secret that signs notifications. Without a secret, they are not signed. */
export interface Webhook {
  readonly url: string
  readonly secret: string | undefined
}

export interface WebhookMessage {
  readonly id: string
  readonly body: string
}

/** The result of one attempt to send a message. Reasons contain no secrets. */
export type Sent =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryAfterMs: number | undefined }

export interface SendOptions {
  readonly now: Date
  /** Time limit for connecting, sending and reading the response together. */
  readonly deadlineMs?: number | undefined
  readonly signal?: AbortSignal
}

const DEADLINE_MS = 10_000
const MAX_HEADER_BYTES = 16 * 1024
/** Limit for reading a response's body. The content is ignored. */
const MAX_BODY_BYTES = 16 * 1024

/** The statuses other than 5xx after which sending again may help: Request Timeout, Too Early, Too Many Requests. */
const TRANSIENT = [408, 425, 429]

/** Sends a message once, as Standard Webhooks specifies, and follows no redirect. Never rejects. */
export async function sendWebhook(
  { url, secret }: Webhook,
  message: WebhookMessage,
  { now, deadlineMs = DEADLINE_MS, signal: outer }: SendOptions,
): Promise<Sent> {
  // Imported lazily: it is a sixth of the program, and few services notify anybody.
  const { Client } = await import('undici')
  const address = new URL(url)
  const { origin, pathname, search } = address
  const late = AbortSignal.timeout(deadlineMs)
  const signal = outer === undefined ? late : AbortSignal.any([late, outer])
  const client = new Client(origin, { maxHeaderSize: MAX_HEADER_BYTES, connect: { timeout: 0, signal } })
  try {
    const { statusCode, headers, body } = await client.request({
      method: 'POST',
      path: pathname + search,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'public-data-service',
        authorization: basicAuthorization(address),
        ...signature(message, now, secret),
      },
      body: message.body,
      signal,
    })
    // The status alone decides: a failure to read the body does not matter.
    await body.dump({ limit: MAX_BODY_BYTES, signal }).catch(() => {})
    return judge(statusCode, headers, now)
  } catch (error) {
    const inTime = late.aborted ? `within ${deadlineMs / 1000} s` : 'in time'
    const reason = signal.aborted ? `no response ${inTime}` : failure(error)
    return { outcome: 'failed', reason, retryAfterMs: undefined }
  } finally {
    await client.destroy()
  }
}

/** `id.timestamp.body` signed with HMAC-SHA256; the timestamp is the time of this attempt, in seconds. */
function signature({ id, body }: WebhookMessage, now: Date, secret?: string): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return headers
  const signed = createHmac('sha256', webhookKey(secret)).update(`${id}.${timestamp}.${body}`)
  return { ...headers, 'webhook-signature': `v1,${signed.digest('base64')}` }
}

function judge(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  now: Date,
): Sent {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status }
  if (status >= 500 || TRANSIENT.includes(status))
    return {
      outcome: 'failed',
      reason: `status ${status}`,
      retryAfterMs: readRetryAfter(headers, now.getTime()),
    }
  const location = String(headers.location ?? '')
  const redirect = status < 400 ? `, a redirect to ${shownAddress(location)}, which is not followed` : ''
  return { outcome: 'refused', reason: `status ${status}${redirect}` }
}

const failure = (error: unknown): string =>
  `the connection failed (${errorCode(error) ?? (error instanceof Error ? error.name : error)})`
