import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
import { type ConnectionsOptions, createConnections } from './connections.ts'
import { BACKLOG, HTTP_LIMITS, MAX_CONNECTIONS } from './limits.ts'
import type { Scheduler } from './scheduler.ts'

/** An HTTP app. It does not listen before `listen` is called. */
export interface HttpApp {
  /** Responds to one request; tests inject requests here. */
  readonly handle: RequestListener
  readonly server: Server
  /** Listens; resolves with the address, such as `http://127.0.0.1:8080`. */
  listen(address: { host: string; port: number }): Promise<string>
  /** Stops listening, finishes the requests in flight, and closes connections as they become idle. */
  close(): Promise<void>
}

interface HttpAppOptions extends ConnectionsOptions {
  readonly scheduler: Pick<Scheduler, 'hasTime' | 'startLater' | 'noteConnection'>
  /** Called for each connection that is refused because too many are open, or that could not be accepted. */
  readonly onRefusedConnection?: (error?: Error) => void
  /** Called when the app begins to close. */
  readonly onClose?: () => void
}

/** Creates an app around the handler of its requests. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { scheduler, onRefusedConnection = () => {}, onClose } = options
  const { listener, refuse, refuseConnect } = createConnections(options)
  const server = createServer(HTTP_LIMITS, listener)
  server.on('connection', scheduler.noteConnection)
  keepUnasked(server)
  server.maxConnections = connectionLimit()
  server.on('drop', () => onRefusedConnection())
  // Only a route that reads a body sends 100 Continue. Any other request with Expect gets its response immediately.
  for (const event of ['checkContinue', 'checkExpectation'] as const)
    server.on(event, (request, response) => server.emit('request', request, response))
  server.on('clientError', refuse)
  server.on('connect', ({ socket }) => refuseConnect(socket))
  return {
    handle: listener,
    server,
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port, backlog: BACKLOG }, () => {
          server.off('error', reject)
          // Without a listener, a connection that cannot be accepted would end the process.
          server.on('error', onRefusedConnection)
          resolve(addressOf(server.address() as AddressInfo))
        })
      }),
    async close() {
      onClose?.()
      // Connections in use close after their response.
      server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/**
 * Lets connections whose request has not arrived yet outlive the close of the server, as before Node 26. From this version on
 * Node takes them for idle and closes them, and the requests on their way would be lost.
 */
function keepUnasked(server: Server): void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const { closeIdleConnections } = server
  server.closeIdleConnections = () => {
    const unasked = [...open].filter(({ bytesRead }) => bytesRead === 0)
    for (const socket of unasked) socket.destroy = () => socket
    closeIdleConnections.call(server)
    for (const socket of unasked) Reflect.deleteProperty(socket, 'destroy')
  }
}

function addressOf({ address, port }: AddressInfo): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** File descriptors that are not for clients: releases, databases, the feed, the operator's listener. */
const RESERVED = 100

/**
 * The most connections that may be open, fewer if file descriptors are scarce. If clients took every descriptor, the service
 * could neither open a release nor refuse clients properly.
 */
export function connectionLimit(limitsFile = '/proc/self/limits'): number {
  const most = maxOpenFiles(limitsFile)
  return Math.max(1, Math.min(MAX_CONNECTIONS, most - RESERVED))
}

/** The limit of open files; infinite if the system does not state it. */
function maxOpenFiles(limitsFile: string): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8')) ?? []
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
