import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { PublicApp } from './app.ts'

/** Time for a load balancer to see that the service is not ready any more, while it still answers. */
const NOTICE_MS = 1500

/** It is quiet when nothing has happened for so long; waiting for that ends all the same. */
const QUIET_MS = 5
const QUIET_WITHIN_MS = 250

/** A turn of the event loop that took longer had something to do. */
const IDLE_TURN_MS = 0.1

/** Requests under way get this long to end. */
const FINISH_MS = 5000

/**
 * Stops an app without losing a request: streams end, so that their clients come to another; answers go on, each closing its connection, until clients have had time to
 * notice; then nothing new is accepted, and what is under way is finished. Connections that hang on are cut.
 */
export async function stopGently(app: PublicApp, { patient }: { patient: boolean }): Promise<void> {
  app.eventClients.end()
  closeAfterAnswering(app.server)
  if (patient) await wait(NOTICE_MS)
  const handOn = holdRequests(app.server)
  await quietMoment(app.server)
  const deadline = setTimeout(() => app.server.closeAllConnections(), FINISH_MS)
  deadline.unref()
  const closed = new Promise(resolve => app.server.close(resolve))
  handOn()
  await closed
  clearTimeout(deadline)
  await app.close()
}

function closeAfterAnswering(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
}

/** Lets requests wait until the function that it gives is called: who waits does not come with a new connection. */
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
 * Waits until no connection comes and nothing else happens. The kernel resets connections that it has taken but Node
 * has not as the server closes, and what they asked is lost; at such a moment there are none.
 */
async function quietMoment(server: Server): Promise<void> {
  let connected = false
  const notice = () => {
    connected = true
  }
  server.on('connection', notice)
  let turn = performance.now()
  const latest = turn + QUIET_WITHIN_MS
  for (let quietSince = turn; turn - quietSince < QUIET_MS && turn < latest; ) {
    connected = false
    await nextTurn()
    const now = performance.now()
    if (connected || now - turn > IDLE_TURN_MS) quietSince = now
    turn = now
  }
  server.off('connection', notice)
}
