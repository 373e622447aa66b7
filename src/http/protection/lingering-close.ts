import type { Socket } from 'node:net'

/** How long what a client still sends is dropped, after all has been sent to it. */
const LINGER_MS = 1000

const drop = () => {}

/**
 * Closes a connection whose input is of no use when all that is written has been sent. What arrives meanwhile and for a
 * moment after is read and dropped: a connection that is closed with input unread is reset, and its client loses what it
 * has not read (RFC 9112 9.6).
 */
export function closeLingering(socket: Socket): void {
  // A new listener takes the input from Node's parser.
  socket.removeAllListeners('data').on('data', drop)
  socket.resume()
  socket.end(() => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer))
  })
}
