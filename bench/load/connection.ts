import { connect } from 'node:net'

/** A connection for one request at a time, at a cost far below the server's. */
export interface Connection {
  /** Sends a request. Call it again only after the answer has come. */
  send(request: Buffer): void
  close(): void
}

export interface ConnectionEvents {
  ready(): void
  /** A whole answer has come. */
  answered(status: number): void
  /** The connection broke, or sent no valid answer. This is the last event. */
  failed(reason: string): void
}

const LINE_BREAK = '\r\n'
const HEAD_END = Buffer.from(LINE_BREAK + LINE_BREAK)
const READ_BYTES = 256 * 1024

/** All connections read into one buffer. Each connection uses its bytes before the next connection reads. */
const incoming = Buffer.allocUnsafe(READ_BYTES)

/** The bytes of a GET request. */
export function requestBytes(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'keep-alive', ...headers })
  return Buffer.from(
    [`GET ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join(LINE_BREAK),
  )
}

/** Opens a connection to a port of this machine, from 127.0.0.1 or another of its addresses. */
export function openConnection(port: number, events: ConnectionEvents, localAddress?: string): Connection {
  let head = Buffer.alloc(0)
  let status = 0
  let bodyLeft = 0
  let ended = false

  function fail(reason: string): void {
    if (ended) return
    close()
    events.failed(reason)
  }

  function close(): void {
    ended = true
    socket.destroy()
  }

  function receive(bytes: Buffer): void {
    let rest = bytes.length
    if (bodyLeft === 0) {
      const seen = head.length === 0 ? bytes : Buffer.concat([head, bytes])
      const end = seen.indexOf(HEAD_END)
      if (end < 0) {
        // Copied, because the next read overwrites the buffer.
        head = Buffer.from(seen)
        return
      }
      const text = seen.toString('latin1', 0, end)
      head = Buffer.alloc(0)
      status = Number(text.slice(9, 12))
      bodyLeft = bodyLength(status, text)
      rest = seen.length - end - HEAD_END.length
    }
    bodyLeft -= rest
    if (Number.isNaN(bodyLeft) || bodyLeft < 0) fail('what came is not one answer with its length')
    else if (bodyLeft === 0) events.answered(status)
  }

  const socket = connect({
    port,
    host: '127.0.0.1',
    ...(localAddress && { localAddress }),
    noDelay: true,
    onread: {
      buffer: incoming,
      callback(length) {
        receive(incoming.subarray(0, length))
        return true
      },
    },
  })
  socket.on('connect', () => events.ready())
  socket.on('error', ({ message }) => fail(message))
  socket.on('close', () => fail('the server closed the connection'))
  return { send: request => void socket.write(request), close }
}

/** The length of the body (RFC 9112 6.3); NaN if the head does not say. */
function bodyLength(status: number, head: string): number {
  if (status === 304 || status === 204) return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  return Number(length ?? Number.NaN)
}
