import { createServer } from 'node:net'
import type { ServiceOptions } from '../app/compose.ts'
import type { WorkersOptions } from '../app/workers/primary.ts'
import { type Config, ConfigError } from '../config.ts'
import { Refused } from './cli.ts'

interface ListeningError extends Error {
  readonly code?: string
  readonly port?: number
}

/** Converts an error of listening to a {@link Refused} that names the variable to change; returns other errors unchanged. */
export function explainListening(error: unknown, config: Config): unknown {
  const { code, port }: ListeningError = error instanceof Error ? error : new Error()
  const variable = port !== undefined && port === config.ADMIN_PORT ? 'ADMIN_PORT' : 'PORT'
  const where = `${variable} ${port ?? config[variable]}`
  if (code === 'EADDRINUSE') return new Refused(`${where} is in use: set ${variable} to another`)
  if (code === 'EACCES' && port !== undefined)
    return new Refused(`${where} needs rights that this user lacks: set ${variable} to one above 1023`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Refused(
      `HOST ${config.HOST} is no address of this machine: set HOST to one, or to 0.0.0.0 for all`,
    )
  return error
}

/** The conflict between the configured ports of the two listeners, or undefined. */
export function equalPorts({ PORT, ADMIN_PORT }: Pick<Config, 'PORT' | 'ADMIN_PORT'>): string | undefined {
  if (PORT !== ADMIN_PORT || PORT === 0) return undefined
  return `ADMIN_PORT is ${ADMIN_PORT}, and so is PORT: set one of them to another, or ADMIN_PORT to 0 for no admin listener`
}

/** Throws a one-line error if a port is not available. Called before the service is loaded, which may take long. */
export async function requirePorts(config: Config): Promise<void> {
  const equal = equalPorts(config)
  if (equal !== undefined) throw new ConfigError(equal)
  for (const port of [config.PORT, config.ADMIN_PORT]) {
    const error = port === 0 ? undefined : await listeningError(config.HOST, port)
    if (error !== undefined) throw explainListening(error, config)
  }
}

/** Starts the server. Throws a one-line error if it cannot listen. */
export async function startListening(options: ServiceOptions) {
  // Imported lazily: the other commands need no server.
  const { startServer } = await import('../app/server.ts')
  return orExplain(options.config, startServer(options))
}

/** Starts the server in several workers. Throws a one-line error if it cannot listen. */
export async function startWorkers(options: WorkersOptions) {
  const { runWorkers } = await import('../app/workers/primary.ts')
  return orExplain(options.config, runWorkers(options))
}

/** Connects a worker to its primary process. */
export async function joinPrimary(
  ...given: Parameters<typeof import('../app/workers/worker.ts').joinPrimary>
) {
  const worker = await import('../app/workers/worker.ts')
  return worker.joinPrimary(...given)
}

const orExplain = <T>(config: Config, listening: Promise<T>): Promise<T> =>
  listening.catch((error: unknown) => {
    throw explainListening(error, config)
  })

/** Tries to listen there and resolves to the error, if any. The port is free again afterwards. */
export function listeningError(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
