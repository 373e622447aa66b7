import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Serving } from './serving.ts'

/** Connections of a client that reads nothing. They are closed with their test. */
export interface UnreadConnections {
  /** Opens a connection, from an address of this machine, and sends requests for these paths. */
  ask(paths: readonly string[], headers?: string, localAddress?: string): Promise<Socket>
}

/** Asks without reading. */
export function unreadConnections(t: TestContext, service: Pick<Serving, 'url'>): UnreadConnections {
  const port = Number(new URL(service.url).port)
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  return {
    ask: (paths, headers = '', localAddress = '127.0.0.1') =>
      new Promise((resolve, reject) => {
        const socket = connect({ port, host: '127.0.0.1', localAddress })
        sockets.push(socket)
        socket.pause()
        socket.once('error', reject)
        socket.once('connect', () => {
          socket.off('error', reject)
          // Being reset is what some of them are for.
          socket.on('error', () => {})
          socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`).join(''))
          resolve(socket)
        })
      }),
  }
}

/** What another client and the machine saw meanwhile. */
export interface Seen {
  readonly medianMs: number
  readonly longestMs: number
  readonly mostMb: number
}

/** Of fewer, the median is what one moment was like. */
const FEWEST_ASKED = 20

/** Asks for a small list every tenth of a second, and looks at the memory, until it is told to stop and has asked often enough. */
export function watch(service: Serving): () => Promise<Seen> {
  const waits: number[] = []
  let mostMb = 0
  let ended = false
  const watching = (async () => {
    while (!ended || waits.length < FEWEST_ASKED) {
      const at = performance.now()
      const { status } = await service.get('/v1/toilets')
      if (status !== 200) throw new Error(`another client got ${status}`)
      waits.push(performance.now() - at)
      mostMb = Math.max(mostMb, await residentMb(service))
      await pause(100)
    }
  })()
  return async () => {
    ended = true
    await watching
    const sorted = waits.toSorted((a, b) => a - b)
    return { medianMs: sorted[sorted.length >> 1] ?? 0, longestMs: sorted.at(-1) ?? 0, mostMb }
  }
}

/** The memory of a service's process, without what the kernel keeps for its sockets. */
export async function residentMb({ child }: Pick<Serving, 'child'>): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}
