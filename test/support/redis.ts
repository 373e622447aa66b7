import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Redis } from 'ioredis'
import { emptyFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { installedProgram, type RunningProgram, startProgram } from './programs.ts'
import { until } from './until.ts'

const BINARY = installedProgram('redis-server', 'valkey-server')

/** Why tests that need Redis are skipped; false where they need not be. */
export const NO_REDIS: string | false =
  BINARY === undefined && 'no redis-server here: `apt-get install redis-server`'

/** A Redis server of a test's own, on 127.0.0.1. It ends with the test, and with the process of the test. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  /** Starts it, empty, and waits until it answers. */
  start(): Promise<void>
  /** Ends it at once. */
  kill(): Promise<void>
  /** Holds it so that it takes connections but answers nothing. */
  freeze(): void
  thaw(): void
  /** Gives it a command. */
  ask(...words: [string, ...string[]]): Promise<unknown>
}

/** Makes a server that is started already, with more words for its command line. */
export async function startRedis(t: TestContext, ...words: string[]): Promise<RedisServer> {
  const folder = await emptyFolder(t)
  const port = await freePort()
  const fixed = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '']
  let running: RunningProgram | undefined
  const signal = (name: NodeJS.Signals) => void (running && process.kill(running.pid, name))
  const server: RedisServer = {
    port,
    url: `redis://127.0.0.1:${port}`,
    async start() {
      running = await startProgram(BINARY, [...fixed, ...words])
      await until(async () => (await server.ask('PING').catch(() => '')) === 'PONG', 'Redis answering')
    },
    async kill() {
      await running?.end()
      running = undefined
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    ask: (...words) => askRedis(port, words),
  }
  t.after(() => server.kill())
  await server.start()
  return server
}

/** Starts a sentinel that watches a primary under a name, and gives its port once it knows the primary's replica. */
export async function startSentinel(t: TestContext, name: string, primary: RedisServer): Promise<number> {
  const port = await freePort()
  const file = join(await emptyFolder(t), 'sentinel.conf')
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor ${name} 127.0.0.1 ${primary.port} 1`,
    `sentinel down-after-milliseconds ${name} 500`,
  ]
  await writeFile(file, lines.join('\n'))
  const { end } = await startProgram(BINARY, [file, '--sentinel'])
  t.after(end)
  const replicas = () => askRedis(port, ['SENTINEL', 'REPLICAS', name]).catch(() => [])
  await until(async () => ((await replicas()) as unknown[]).length === 1, 'the sentinel knowing the replica')
  return port
}

/** Starts a cluster of three primaries, and waits until they know each other. */
export async function startCluster(t: TestContext): Promise<readonly RedisServer[]> {
  const nodes = await Promise.all(
    ['0 5460', '5461 10922', '10923 16383'].map(async (slots, index) => {
      const busPort = String(await freePort())
      const node = await startRedis(t, '--cluster-enabled', 'yes', '--cluster-port', busPort)
      await node.ask('CLUSTER', 'ADDSLOTSRANGE', ...slots.split(' '))
      await node.ask('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
      return { ...node, busPort }
    }),
  )
  const [first, ...others] = nodes
  for (const { port, busPort } of others)
    await first?.ask('CLUSTER', 'MEET', '127.0.0.1', String(port), busPort)
  const isWhole = async ({ ask }: RedisServer) => {
    const info = String(await ask('CLUSTER', 'INFO'))
    return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3')
  }
  await until(async () => (await Promise.all(nodes.map(isWhole))).every(Boolean), 'the cluster being whole')
  return nodes
}

async function askRedis(port: number, [command, ...words]: [string, ...string[]]): Promise<unknown> {
  const client = new Redis({
    ...{ port, protocol: 2, lazyConnect: true, disableClientInfo: true, enableReadyCheck: false },
    ...{ retryStrategy: () => null, maxRetriesPerRequest: 0 },
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.call(command, ...words)
  } finally {
    client.disconnect()
  }
}
