import type { Socket } from 'node:net'
import { Problem } from '../../errors.ts'
import { PROBLEM_HEADERS, problemBody } from '../response/problem-response.ts'

/**
 * Answers what never became a request: broken HTTP, headers over the limit, a client too slow to send them. The
 * connection is closed, since nobody knows where the next request would start. No hook runs, so `onRefused` is called.
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
    const problem = describe(error.code)
    onRefused(problem.status, error.code)
    const body = JSON.stringify(problemBody(problem, '', baseUrl()))
    const headers = Object.entries({
      ...PROBLEM_HEADERS,
      'access-control-allow-origin': '*',
      connection: 'close',
    })
    const head = [
      `HTTP/1.1 ${problem.status} ${REASONS[problem.status] ?? 'Bad Request'}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    // destroySoon sends what is written and then closes, whether or not the client goes on sending.
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    socket.destroySoon()
  }
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

function describe(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('HEADERS_TOO_LARGE', 'The request line and headers have more than 8 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('REQUEST_TIMEOUT', 'The request did not arrive in time.')
  if (code === 'HPE_INVALID_URL')
    return new Problem(
      'BAD_REQUEST',
      'The address holds a character that must be percent-encoded, as é is: %C3%A9.',
    )
  return new Problem('BAD_REQUEST', 'This is not a valid HTTP request.')
}
