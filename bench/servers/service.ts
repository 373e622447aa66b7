import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/support/free-port.ts'
import { ask } from '../load/answer.ts'
import { untilIdle } from './idle.ts'
import { cpuSecondsSinceStart, type Started, startNode } from './process.ts'

const PDS = fileURLToPath(new URL('../../bin/pds', import.meta.url))
const PROBE = new URL('loop-probe.mjs', import.meta.url).href
const PATIENCE_MS = 300_000

/** A server under test. */
export interface Target extends Started {
  readonly name: string
  readonly port: number
}

/** The service as users start it, from its built form. */
export interface Service extends Target {
  /** The time from the start of the process to its first answer. */
  readonly startedInMs: number
}

export interface ServiceOptions {
  readonly name: string
  /** The command of another build. */
  readonly pds?: string
  readonly store: string
  readonly feedUrl: string
  readonly cores?: string | undefined
  readonly settings?: Readonly<Record<string, string>>
  /** Whether to load a probe of the event loop: see {@link longestStall}. */
  readonly probe?: boolean
  /** The status of GET /v1/vehicles: 503 with a store without vehicles. */
  readonly firstStatus?: number
}

/** Starts `pds serve` and waits for the first answer of /v1/vehicles. If the service ends before, throws an error with its output. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { name, pds = PDS, store, feedUrl, cores, settings = {}, probe = false, firstStatus = 200 } = options
  const port = await freePort()
  const began = performance.now()
  const started = startNode([pds, 'serve'], {
    cores,
    talks: probe,
    logsToFile: true,
    environment: {
      PORT: String(port),
      ADMIN_PORT: '0',
      DATABASE_URL: store,
      LIVE_FEED_URL: feedUrl,
      // Every request is counted, and none refused.
      VEHICLES_RATE_LIMIT: '1000000000',
      ...(probe ? { NODE_OPTIONS: `--import ${PROBE}` } : {}),
      ...settings,
    },
  })
  // The service tries its port before it reads its data, so a connection may be opened and broken.
  const firstAnswer = () => ask(port, { path: '/v1/vehicles' }).catch(() => undefined)
  let answer = await firstAnswer()
  while (answer === undefined) {
    if (started.child.exitCode !== null)
      throw new Error(`the service ended at its start:\n${started.output()}`)
    if (performance.now() - began > PATIENCE_MS) throw new Error('the service does not come up')
    await pause(1)
    answer = await firstAnswer()
  }
  if (answer.status !== firstStatus)
    throw new Error(`the first answer has status ${answer.status}:\n${started.output()}`)
  return { ...started, name, port, startedInMs: performance.now() - began }
}

/** Starts a service and waits until it has finished the work after a start. */
export async function startIdle(options: ServiceOptions): Promise<Service> {
  const service = await startService(options)
  await untilIdle(options.name, () => cpuSecondsSinceStart(service.pid))
  return service
}

/** The longest stall of the service's event loop since the last call, in milliseconds. */
export async function longestStall({ child }: Service): Promise<number> {
  const told = once(child, 'message')
  child.send('tell')
  const [ms] = await told
  return ms as number
}
