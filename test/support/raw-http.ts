import { connect } from 'node:net'
import type { HttpApp } from '../../src/http/http-app.ts'

/** What came back over a connection. */
export interface RawAnswer {
  readonly bytes: Buffer
  /** All of it. */
  readonly text: string
  /** The status of the first answer; 0 where there is none. */
  readonly status: number
  /** The first answer's headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** What follows the first answer's headers. */
  readonly body: string
  /** Whether the server closed the connection; false where it was still open when patience ended. */
  readonly closed: boolean
}

/** Has the app listen on a free port of this machine, and gives the port. The app closes with its test. */
export async function listen(app: HttpApp): Promise<number> {
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  return Number(port)
}

/** Sends bytes just as they are over a connection of their own, and reads until the server closes it. */
export function exchange(
  port: number,
  bytes: string | Buffer,
  { patienceMs = 20_000 }: { patienceMs?: number } = {},
): Promise<RawAnswer> {
  return new Promise(resolve => {
    const received: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let closed = true
    const impatient = setTimeout(() => {
      closed = false
      socket.destroy()
    }, patienceMs)
    // A server that closes while it is still being sent to resets the connection.
    socket.on('error', () => {})
    socket.on('data', data => received.push(data))
    socket.on('close', () => {
      clearTimeout(impatient)
      const bytes = Buffer.concat(received)
      resolve({ bytes, ...read(bytes.toString()), closed })
    })
    socket.write(bytes)
  })
}

function read(text: string): Omit<RawAnswer, 'bytes' | 'closed'> {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? 0)
  return { text, status, headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') }
}
