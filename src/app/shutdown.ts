import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { PublicApp } from './app.ts'

/** Longest time from a signal to the end of the process. */
export const GRACE_MS = 9000

/** Time for a load balancer to see that the service is not ready, while it still responds. */
const NOTICE_MS = 1500

/** The server is quiet when nothing has happened for QUIET_MS. The wait for quiet is bounded. */
const QUIET_MS = 5
const QUIET_WITHIN_MS = 250

/** A turn of the event loop that took longer did work. */
const IDLE_TURN_MS = 0.1

/** The time for requests in flight to finish. */
const FINISH_MS = 5000

/**
 * Stops an app without losing a request. Streams end, so that their clients reconnect elsewhere. With `patient`, requests are
 * served for a while, and each response closes its connection. Then the server stops accepting connections and finishes the
 * requests in flight. Connections that remain are closed. Workers close together: the clients of one that closed before would
 * come back to another that closes next.
 */
export async function stopGently(
  app: PublicApp,
  { patient, waitForOthers }: { patient: boolean; waitForOthers?: (() => Promise<void>) | undefined },
): Promise<void> {
  app.eventClients.end()
  closeAfterResponse(app.server)
  if (patient) await wait(NOTICE_MS)
  const releaseRequests = holdRequests(app.server)
  await quietMoment(app.server)
  await waitForOthers?.()
  const deadline = setTimeout(() => app.server.closeAllConnections(), FINISH_MS)
  deadline.unref()
  const closed = new Promise(resolve => app.server.close(resolve))
  await waitForOthers?.()
  releaseRequests()
  // Clients that wait for a comparison get an error now, and not a closed connection later.
  app.comparisons.close()
  await closed
  clearTimeout(deadline)
  await app.close()
}

function closeAfterResponse(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
}

/** Queues requests until the returned function is called, so that waiting clients open no new connections. */
function holdRequests(server: Server): () => void {
  const held: [IncomingMessage, ServerResponse][] = []
  const handlers = server.listeners('request') as ((...request: (typeof held)[number]) => void)[]
  const hold = (...request: (typeof held)[number]) => void held.push(request)
  server.removeAllListeners('request')
  server.on('request', hold)
  return () => {
    server.off('request', hold)
    for (const handler of handlers) server.on('request', handler)
    for (const request of held) server.emit('request', ...request)
  }
}

/**
 * Waits for a moment without new connections or other work. When the server closes, the kernel resets the connections that
 * Node has not accepted yet, and their requests are lost. At a quiet moment Node has accepted every connection.
 */
async function quietMoment(server: Server): Promise<void> {
  if (!server.listening) return
  let connected = false
  const onConnection = () => {
    connected = true
  }
  server.on('connection', onConnection)
  let turn = performance.now()
  const latest = turn + QUIET_WITHIN_MS
  for (let quietSince = turn; turn - quietSince < QUIET_MS && turn < latest; ) {
    connected = false
    await nextTurn()
    const now = performance.now()
    if (connected || now - turn > IDLE_TURN_MS) quietSince = now
    turn = now
  }
  server.off('connection', onConnection)
}
