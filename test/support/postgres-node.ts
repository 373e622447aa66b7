import { readFile, rm } from 'node:fs/promises'
import type { QueryResultRow } from 'pg'
import {
  addressOf,
  type Place,
  type RunningServer,
  run,
  runProgram,
  type Settings,
  startServer,
  untilAnswering,
} from './postgres-server.ts'
import { until } from './until.ts'

/** A server of a test that can be killed, frozen, promoted and made a standby. */
export interface PostgresNode {
  readonly port: number
  /** `127.0.0.1:port`, as lists of hosts in addresses have it. */
  readonly host: string
  /** The address of one of its databases. */
  address(database?: string): string
  /** Starts it, with what it was when it ended, and waits until it answers. */
  start(): Promise<void>
  /** Kills all its processes at once, as if the machine lost its power, and waits until they are gone. */
  kill(): Promise<void>
  /** Has it end: `fast` breaks off what is under way, `immediate` does not even write down where it was. */
  stop(how: 'fast' | 'immediate'): Promise<void>
  /**
   * Stops all its processes where they are: connections are taken, as the kernel does that, and nothing is answered.
   * `children` leaves the parent alone, which answers new connections.
   */
  freeze(which?: 'all' | 'children'): Promise<void>
  thaw(): Promise<void>
  /** Runs a statement and gives its rows. */
  run<R extends QueryResultRow>(statement: string, database?: string): Promise<R[]>
  /** Makes a standby the primary, and waits until it may be written to. */
  promote(): Promise<void>
  /** Has a standby receive, but show nothing new. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  /** Makes it anew as a streaming standby of another, from a copy of that one's files, and starts it. */
  follow(primary: PostgresNode): Promise<void>
  /** Waits until a standby shows all that the primary has written by now. */
  catchUp(primary: PostgresNode): Promise<void>
}

/** Makes a server from a place in which its files are, or will be. It ends with this process at the latest. */
export function postgresNode(place: Place, settings: Settings): PostgresNode {
  const { folder, data, port } = place
  let running: RunningServer | undefined

  const node: PostgresNode = {
    port,
    host: `127.0.0.1:${port}`,
    address: (database = 'postgres') => addressOf(port, database),
    async start() {
      running = await startServer(place, settings)
      await untilAnswering(port)
    },
    async kill() {
      const ids = running === undefined ? [] : [running.pid, ...(await childrenOf(running.pid))]
      for (const id of ids) signal(id, 'SIGKILL')
      await end()
      // Orphans hold the memory that the next start wants to itself.
      await until(async () => !(await Promise.all(ids.map(runs))).some(Boolean), 'all processes being gone')
    },
    async stop(how) {
      if (running !== undefined) signal(running.pid, how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      const { pid } = running ?? {}
      await until(async () => pid === undefined || !(await runs(pid)), 'PostgreSQL having ended')
      await end()
    },
    async freeze(which = 'all') {
      if (running === undefined) return
      if (which === 'all') signal(running.pid, 'SIGSTOP')
      for (const id of await childrenOf(running.pid)) signal(id, 'SIGSTOP')
    },
    async thaw() {
      if (running === undefined) return
      for (const id of [...(await childrenOf(running.pid)), running.pid]) signal(id, 'SIGCONT')
    },
    run: (statement, database) => run(node.address(database), statement),
    async promote() {
      await node.run('select pg_promote(true, 30)')
    },
    async pauseReplay() {
      await node.run('select pg_wal_replay_pause()')
      const paused = () => node.run<{ state: string }>('select pg_get_wal_replay_pause_state() as state')
      await until(async () => (await paused())[0]?.state === 'paused', 'replay being paused')
    },
    async resumeReplay() {
      await node.run('select pg_wal_replay_resume()')
    },
    async follow(primary) {
      await node.kill()
      await rm(data, { recursive: true, force: true })
      const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'pds']
      await runProgram(folder, 'pg_basebackup', [...source, '-D', data, '-R', '-X', 'stream', '-c', 'fast'])
      await node.start()
    },
    async catchUp(primary) {
      // The end of a record: where the next one would begin may lie behind the header of a page, which replay never says.
      const message = "select pg_logical_emit_message(false, 'catch up', '') as lsn"
      const [written] = await primary.run<{ lsn: string }>(message)
      const reached = `select pg_last_wal_replay_lsn() >= '${written?.lsn}' as reached`
      await until(
        async () => (await node.run<{ reached: boolean }>(reached))[0]?.reached,
        'the standby having caught up',
      )
    },
  }

  async function end(): Promise<void> {
    await running?.end()
    running = undefined
  }

  return node
}

/** Sends a signal to a process that may be gone. */
function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function childrenOf(id: number): Promise<number[]> {
  const ids = await readFile(`/proc/${id}/task/${id}/children`, 'utf8').catch(() => '')
  return ids.trim().split(' ').filter(Boolean).map(Number)
}

/** Whether a process runs; what has ended but was not yet taken leave of does not. */
async function runs(id: number): Promise<boolean> {
  const status = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')
  return status !== '' && !/\) [ZX] /.test(status)
}
