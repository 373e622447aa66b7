import { executionAsyncResource } from 'node:async_hooks'
import closeWithGrace, { type AllEvents } from 'close-with-grace'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'
import type { ServiceOptions } from './compose.ts'
import { followCurrentReleases } from './current-releases.ts'
import { GRACE_MS } from './shutdown.ts'

export interface RunningService {
  /** The address of the public listener, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** The address of the admin listener; undefined if it is off. */
  readonly adminUrl: string | undefined
}

/**
 * Starts the service; resolves when both listeners listen. On SIGTERM or SIGINT it finishes the requests in flight and
 * ends the process. If the start fails, the store is closed.
 */
export async function startServer(options: ServiceOptions): Promise<RunningService> {
  holdTick()
  const snapshots = followCurrentReleases(options)
  try {
    // Files are read while the rest of the service is imported.
    void snapshots.start()
    return await listen(options, snapshots)
  } catch (error) {
    await snapshots.stop()
    await options.store.close()
    throw error
  }
}

/**
 * Keeps the hidden class of Node's ticks alive. Reading releases makes V8 collect garbage before the first request. If no tick
 * is alive then, V8 drops the hidden class, and from then on creates each tick by a slow call. A request has several ticks: on
 * Node 20 and 24, slow ones take a fifth of the CPU of a 304.
 */
function holdTick(): void {
  process.nextTick(() => Reflect.set(globalThis, Symbol('a tick'), executionAsyncResource()))
}

async function listen(options: ServiceOptions, snapshots: Snapshots): Promise<RunningService> {
  const { config, log, worker } = options
  const { compose } = await import('./compose.ts')
  const service = compose({ ...options, snapshots })
  await service.start()
  const { HOST: host, PORT, ADMIN_PORT } = config
  const url = await service.app.listen({ host, port: PORT })
  service.listensOn(url)
  const adminUrl = ADMIN_PORT === 0 ? undefined : await service.admin.listen({ host, port: ADMIN_PORT })
  let isPatient = false
  const skip: AllEvents[] = worker === undefined ? ['SIGHUP'] : ['SIGHUP', 'SIGTERM', 'SIGINT']
  const closing = closeWithGrace({ delay: GRACE_MS, logger: log, skip }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'stopping after an unexpected error')
    else log.info({ signal }, 'stopping')
    // Ctrl+C does not wait for a load balancer.
    await service.stop({ patient: isPatient || signal === 'SIGTERM' })
    await worker?.leave()
  })
  if (worker === undefined) {
    process.on('SIGHUP', () =>
      log.warn('SIGHUP changes nothing without WORKERS=2 or more: restart to read files again'),
    )
    log.info({ url, adminUrl }, 'listening')
  } else {
    worker.onStop(({ patient }) => {
      isPatient = patient
      void closing.close()
    })
    worker.ready(url)
  }
  return { url, adminUrl }
}
