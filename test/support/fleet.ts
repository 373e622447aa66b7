import type { TestContext } from 'node:test'
import { emptyFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { startPds } from './pds.ts'
import { type Serving, watchServing } from './serving.ts'
import { kill } from './site.ts'
import { until } from './until.ts'

/** A whole register is loaded, and other instances may be starting beside it. */
const START_MS = 120_000

/** Lines of requests would be millions. */
const isNoRequest = (line: string) => !line.includes('"msg":"request"')

/** An instance of `pds serve`, which keeps its addresses when it starts again. */
export interface Instance {
  readonly name: string
  readonly url: string
  readonly adminUrl: string
  /**
   * Why it may not be reached: `stopping` from its SIGTERM, `killed` from its SIGKILL, each until it is ready again;
   * undefined while it must answer.
   */
  readonly away: 'stopping' | 'killed' | undefined
  /** Its process now. */
  serving(): Serving
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<{ status: number | null; seconds: number }>
  /** Ends it at once. */
  kill(): Promise<void>
  /** Starts it and waits until it is ready. Gives how long that took, in seconds. */
  start(): Promise<number>
  /** What is amiss, by its own word; empty where all is well. */
  missing(): Promise<readonly string[]>
  /** The value of a series of its metrics; undefined where there is none. */
  metric(series: string): Promise<number | undefined>
}

/** Starts so many instances with the same settings, each a process of its own, numbered from `first`. They end with the test. */
export async function startFleet(
  t: TestContext,
  count: number,
  environment: Readonly<Record<string, string>>,
  first = 1,
): Promise<Instance[]> {
  const folder = await emptyFolder(t)
  const fleet = await Promise.all(
    Array.from({ length: count }, (_, place) =>
      makeInstance(t, `instance ${first + place}`, folder, environment),
    ),
  )
  await Promise.all(fleet.map(instance => instance.start()))
  return fleet
}

async function makeInstance(
  t: TestContext,
  name: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<Instance> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) }
  let running: Serving | undefined
  let away: Instance['away'] = 'killed'
  const serving = () => {
    if (running === undefined) throw new Error(`${name} does not run`)
    return running
  }
  t.after(() => running && kill(running.child))
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    get away() {
      return away
    },
    serving,
    async stop() {
      away = 'stopping'
      return serving().stop('SIGTERM')
    },
    async kill() {
      away = 'killed'
      await kill(serving().child)
    },
    async start() {
      const began = performance.now()
      const child = startPds(folder, ['serve'], { ...ports, ...environment })
      running = await watchServing(t, child, START_MS, isNoRequest)
      await until(
        async () => (await serving().admin('/readyz')).status === 200,
        `${name} being ready`,
        START_MS,
      )
      away = undefined
      return (performance.now() - began) / 1000
    },
    async missing() {
      const { text } = await serving().admin('/readyz')
      return JSON.parse(text).missing.map(({ what }: { what: string }) => what)
    },
    metric: async series => (await serving().metrics()).get(series),
  }
}
