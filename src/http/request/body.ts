import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../errors.ts'
import { HTTP_LIMITS } from '../protection/limits.ts'
import { arrivalOf } from './message.ts'

/** The bodies that a route takes. */
export interface AcceptedBody {
  readonly mediaType: string
  readonly maxBytes: number
}

/** The most bytes of unfinished bodies held at a time, for all clients together. */
const MAX_HELD_BYTES = 16 * 2 ** 20

const RETRY_AFTER_S = 2

/**
 * Creates a reader of bodies that limits the bytes held for all clients together. It throws UNSUPPORTED_MEDIA_TYPE,
 * CONTENT_TOO_LARGE as soon as the size is known, and OVERLOADED if too much is held. A body that does not arrive in time gets
 * REQUEST_TIMEOUT, one that breaks off BAD_REQUEST. The rest of a refused body is dropped as it arrives.
 */
export function createBodyReader() {
  let heldBytes = 0

  return (message: IncomingMessage, response: ServerResponse, accepted: AcceptedBody) =>
    new Promise<Buffer>((resolve, reject) => {
      requireAccepted(message, accepted)
      const parts: Buffer[] = []
      let length = 0
      // Node's own timeout does not help: it waits for the response, and the response waits for the body.
      const patience = HTTP_LIMITS.requestTimeout - (performance.now() - arrivalOf(message))
      const timer = setTimeout(() => end(tooSlow()), patience)

      const take = (part: Buffer) => {
        length += part.length
        heldBytes += part.length
        parts.push(part)
        if (length > accepted.maxBytes) end(tooLarge(accepted))
        else if (heldBytes > MAX_HELD_BYTES) end(overloaded())
      }
      const complete = () => end()
      const breakOff = () => end(new Problem('BAD_REQUEST', 'The body of the request is incomplete.'))

      function end(problem?: Problem): void {
        clearTimeout(timer)
        heldBytes -= length
        message.off('data', take).off('end', complete).off('close', breakOff)
        message.resume()
        if (problem === undefined) resolve(Buffer.concat(parts))
        else reject(problem)
      }

      message.on('data', take).on('end', complete).on('close', breakOff)
      // A broken connection also emits 'error', before 'close'.
      message.on('error', () => {})
      if (message.headers.expect !== undefined) response.writeContinue()
    })
}

function requireAccepted({ headers }: IncomingMessage, accepted: AcceptedBody): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== accepted.mediaType)
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `The body must be ${accepted.mediaType}.`)
  if (headers['content-encoding'] !== undefined)
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must not have a content coding.')
  if (Number(headers['content-length'] ?? 0) > accepted.maxBytes) throw tooLarge(accepted)
}

const tooLarge = ({ maxBytes }: AcceptedBody) =>
  new Problem('CONTENT_TOO_LARGE', `The body has more than ${maxBytes} bytes.`)

const tooSlow = () =>
  new Problem('REQUEST_TIMEOUT', 'The body of the request did not arrive in time.', {
    headers: { connection: 'close' },
  })

const overloaded = () =>
  new Problem('OVERLOADED', 'Too many bodies are being received.', { retryAfterS: RETRY_AFTER_S })
