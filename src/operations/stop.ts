import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Time for a load balancer to see that the service is not ready any more, while it still answers. */
const NOTICE_MS = 1500

/** Requests under way get this long to end. */
const FINISH_MS = 5000

/**
 * Stops an app without losing a request: answers go on, each closing its connection, until clients have had time to
 * notice; then nothing new is accepted, and what is under way is finished. Connections that hang on are cut.
 */
export async function stopGently(app: FastifyInstance, { patient }: { patient: boolean }): Promise<void> {
  closeAfterAnswering(app)
  if (patient) await wait(NOTICE_MS)
  const deadline = setTimeout(() => app.server.closeAllConnections(), FINISH_MS)
  deadline.unref()
  await app.close()
  clearTimeout(deadline)
}

/** Fastify takes no hooks once it listens, so this goes to the server beneath. */
function closeAfterAnswering(app: FastifyInstance): void {
  app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
}
