import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** How many connect at a time. */
const AT_ONCE = 500

/** Many clients that do nothing with their connections. */
export interface Crowd {
  /** When each of those was closed that the service has closed. */
  readonly closed: number[]
  readonly answered: () => number
}

/** Connects so many clients, each of which sends `bytes` and then nothing. They close with the test. */
export async function gather(
  t: TestContext,
  url: string,
  count: number,
  bytes: string,
  /** An address has some 28,000 ports, also those of connections that were closed a moment ago. */
  addressOf = (client: number) => `127.0.0.${1 + (client % 4)}`,
): Promise<Crowd> {
  const port = Number(new URL(url).port)
  const closed: number[] = []
  const open: Socket[] = []
  let answered = 0
  t.after(() => {
    for (const socket of open) socket.destroy()
  })
  for (let client = 0; client < count; client += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - client) }, (_, index) => {
        const socket = connect({ port, host: '127.0.0.1', localAddress: addressOf(client + index) })
        open.push(socket)
        socket.once('data', () => answered++).resume()
        socket.on('close', () => closed.push(performance.now()))
        return new Promise<void>((resolve, reject) => {
          socket.once('error', reject)
          socket.once('connect', () => {
            socket.off('error', reject)
            socket.on('error', () => {})
            if (bytes !== '') socket.write(bytes)
            resolve()
          })
        })
      }),
    )
  return { closed, answered: () => answered }
}
