import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { noteLastResponse } from '../protection/connection-limit.ts'
import { compressor } from './content-coding.ts'
import type { CodedStream, PreparedResponse } from './prepared-response.ts'

/**
 * Sends a response. `done` is called once its body has been handed to the socket: at once for bytes and for an endless
 * body, at the end for a stream, with the error if it failed.
 */
export function send(
  response: ServerResponse,
  { status, body }: Pick<PreparedResponse, 'status' | 'body'>,
  headers: readonly string[],
  done: (error?: Error) => void,
): void {
  const isOpen = body !== undefined && 'attach' in body
  // An endless body ends with the connection, so it needs no chunked coding and works in HTTP/1.0 too.
  if (isOpen) response.removeHeader('transfer-encoding')
  response.writeHead(status, headers as string[])
  if (body === undefined || isHead(response)) response.end()
  else if (Buffer.isBuffer(body)) response.end(body)
  else if (isOpen) {
    if (response.socket !== null) noteLastResponse(response.socket)
    body.attach(response)
  } else {
    stream(response, body as CodedStream, done)
    return
  }
  done()
}

const isHead = ({ req }: ServerResponse): boolean => req.method === 'HEAD'

/** A stream that fails destroys the response, so that the client sees that it is incomplete. */
function stream(response: ServerResponse, body: CodedStream, done: (error?: Error) => void): void {
  const source = body.stream()
  const ended = (error: Error | null | undefined) => done(error ?? undefined)
  if (body.coding === 'identity') pipeline(source, response, ended)
  else pipeline(source, compressor(body.coding), response, ended)
}
