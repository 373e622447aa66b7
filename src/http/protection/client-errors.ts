import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../../errors.ts'
import { DEFAULT_HEADERS } from '../response/default-headers.ts'
import { methodNotAllowed, problemResponse } from '../response/problem-response.ts'
import { endInput } from './connection-limit.ts'
import { closeLingering } from './lingering-close.ts'

/** The code of the error by which a request with the method CONNECT is refused; Node would close its connection. */
export const CONNECT_METHOD = 'CONNECT_METHOD'

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/**
 * Responds to what never became a request: broken HTTP, headers over the limit, a client too slow to send them. The
 * connection is closed, since the start of the next request is unknown. Where another response is due or the request has
 * had one already, there is none. `onRefused` is called for each.
 */
export function clientErrorHandler(
  baseUrl: () => string,
  onRefused: (status: number, error: string | undefined) => void,
) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    if (!endInput(socket)) return
    const problem = describe(error.code)
    onRefused(problem.status, error.code)
    const { headers, body } = problemResponse(problem, '', baseUrl())
    const all = [...DEFAULT_HEADERS, ...headers, 'connection', 'close']
    const head = [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`]
    for (let i = 0; i < all.length; i += 2) head.push(`${all[i]}: ${all[i + 1]}`)
    socket.write(`${head.join('\r\n')}\r\n\r\n${String(body)}`)
    // A client that was waited for in vain sends nothing to be dropped.
    if (error.code === TIMEOUT) socket.destroySoon()
    else closeLingering(socket)
  }
}

function describe(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('HEADERS_TOO_LARGE', 'The request line and headers exceed 8 KiB.')
  if (code === TIMEOUT) return new Problem('REQUEST_TIMEOUT', 'The request did not arrive in time.')
  if (code === CONNECT_METHOD) return methodNotAllowed()
  if (code === 'HPE_INVALID_URL')
    return new Problem(
      'BAD_REQUEST',
      'The URL has a character that must be percent-encoded: é, for example, is %C3%A9.',
    )
  return new Problem('BAD_REQUEST', 'This is not a valid HTTP request.')
}
