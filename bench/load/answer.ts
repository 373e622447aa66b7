import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'

/** A request to a server. */
export interface Question {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A server's answer. */
export interface Answer {
  readonly status: number
  /** Names and values in turn, as sent, without headers of the moment or the connection. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** The same in every answer, so that the answers of two servers can be compared. */
const TRACE = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00` }

/** Headers of the moment and the connection, which Node itself sets. */
const NODES_OWN = ['date', 'connection', 'keep-alive', 'transfer-encoding']

/** Sends one request, over a separate connection. */
export async function ask(port: number, { path, headers = {} }: Question): Promise<Answer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, headers: { ...TRACE, ...headers }, agent }
      request(options, resolve).on('error', reject).end()
    })
    const body = await buffer(response)
    return { status: response.statusCode ?? 0, headers: lastingHeaders(response.rawHeaders), body }
  } finally {
    agent.destroy()
  }
}

/** The value of a header; empty if the header is missing. */
export function headerOf({ headers }: Answer, name: string): string {
  const at = headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name)
  return at < 0 ? '' : (headers[at + 1] ?? '')
}

/** Fails unless two answers are the same in status, headers (names, values, order) and every byte of the body. */
export function requireSame(what: string, wanted: Answer, given: Answer): void {
  if (wanted.status !== given.status)
    throw new Error(`${what}: status ${given.status} instead of ${wanted.status}`)
  if (!isDeepStrictEqual(wanted.headers, given.headers))
    throw new Error(`${what}: other headers\n${wanted.headers.join(' | ')}\n${given.headers.join(' | ')}`)
  if (!wanted.body.equals(given.body))
    throw new Error(`${what}: a body of ${given.body.length} bytes differs from one of ${wanted.body.length}`)
}

function lastingHeaders(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const [name = '', value = ''] = raw.slice(i, i + 2)
    if (!NODES_OWN.includes(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}
