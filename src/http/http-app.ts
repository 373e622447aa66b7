import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
import { HTTP_LIMITS, MAX_CONNECTIONS } from './protection/limits.ts'

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

export interface HttpAppOptions {
  readonly handle: RequestListener
  readonly onClientError?: (error: Error & { code?: string }, socket: Socket) => void
  /** Called when the app begins to close. */
  readonly onClose?: () => void
}

/** Creates an app from a request listener. */
export function createHttpApp({ handle, onClientError, onClose }: HttpAppOptions): HttpApp {
  const server = createServer(HTTP_LIMITS, handle)
  server.maxConnections = MAX_CONNECTIONS
  if (onClientError !== undefined) server.on('clientError', onClientError)
  return {
    handle,
    server,
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => {
          server.off('error', reject)
          resolve(addressOf(server.address() as AddressInfo))
        })
      }),
    async close() {
      onClose?.()
      // Connections in use close after their response.
      server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
      const closed = new Promise(resolve => server.close(resolve))
      server.closeIdleConnections()
      await closed
    },
  }
}

function addressOf({ address, port }: AddressInfo): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
