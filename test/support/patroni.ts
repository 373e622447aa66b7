import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { QueryResultRow } from 'pg'
import { freePort } from './free-port.ts'
import { NO_POSTGRES, postgresFolder, serverUser } from './postgres-programs.ts'
import { giveFolder, run } from './postgres-server.ts'
import { installedProgram } from './programs.ts'
import { until } from './until.ts'

const CONFIGURATION = fileURLToPath(new URL('../../deploy/patroni', import.meta.url))
const [PATRONI, ETCD, HAPROXY] = ['patroni', 'etcd', 'haproxy'].map(name => installedProgram(name))

/** Why tests that need Patroni are skipped; false where they need not be. */
export const NO_PATRONI: string | false = reasonAgainst()

/** From the configuration: after how many seconds a leader that says nothing is replaced. */
export const LEADER_LOST_S = 20 + 2

/** A machine with PostgreSQL and the Patroni that looks after it. */
export interface PatroniNode {
  readonly name: string
  /** Kills all processes of PostgreSQL at once. Patroni goes on. */
  killPostgres(): Promise<void>
  /** Kills all processes at once, as if the machine lost its power. */
  lose(): Promise<void>
  /** Stops all processes where they are. When they go on they know of nothing that happened meanwhile. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Starts Patroni, which starts PostgreSQL as what it has to be now. */
  start(): Promise<void>
  /** Has a replica receive, but show nothing new. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
}

/** Two machines of which Patroni makes one the leader, and HAProxy in front of them. */
export interface PatroniCluster {
  /** The address that always leads to the leader. */
  readonly writerAddress: string
  /** The address that leads to the replica, and without one to the leader. */
  readonly readerAddress: string
  /** Runs a statement on the leader, and gives its rows. */
  run<R extends QueryResultRow>(statement: string): Promise<R[]>
  leader(): Promise<PatroniNode>
  replica(): Promise<PatroniNode>
  /** Makes the replica the leader, in good order. */
  switchover(): Promise<void>
  /** Waits until statements may write again. */
  untilWritable(): Promise<void>
  /** Waits until there are a leader and a replica that has received everything, and each is where its address leads. */
  untilHealthy(): Promise<void>
}

/**
 * Waits for the end of its input, which is the end of this process at the latest. Then it ends every process that works in the
 * folder, even a frozen one, and removes the folder. PostgreSQL is asked to end, so that it leaves no shared memory behind.
 */
const END_AFTERWARDS = `
  read -r _
  while
    found=
    for one in /proc/[0-9]*; do
      case "$(readlink $one/cwd)" in
        "$0" | "$0"/*)
          found=yes
          [ "$(cat $one/comm)" = postgres ] && kill -QUIT \${one#/proc/} || kill -KILL \${one#/proc/}
          kill -CONT \${one#/proc/} ;;
      esac
    done
    [ "$found" ]
  do sleep 0.05; done
  rm -rf "$0"`

/** Starts it all on 127.0.0.1, with an empty database `pds`. It ends with the test, and with the process of the test. */
export async function startPatroni(t: TestContext): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'pds-patroni-'))
  const watch = spawn('sh', ['-c', END_AFTERWARDS, folder], {
    cwd: '/',
    // In a group of its own, so that an interrupt from the keyboard leaves it time.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  t.after(async () => {
    watch.stdin.end()
    await once(watch, 'exit')
  })
  await giveFolder(folder)
  await cp(CONFIGURATION, folder, { recursive: true })

  const etcd = await startEtcd(folder)
  const nodes = [await makeNode(folder, 'db-1', etcd), await makeNode(folder, 'db-2', etcd)] as const
  const [first, second] = nodes
  const [writer, reader] = [await freePort(), await freePort()]
  startIn(folder, HAPROXY, ['-db', '-f', 'haproxy.cfg'], {
    ...{ WRITER: `127.0.0.1:${writer}`, READER: `127.0.0.1:${reader}` },
    ...{ DB_1: first.server, DB_1_CHECK: first.apiPort, DB_2: second.server, DB_2_CHECK: second.apiPort },
  })

  const inRole = (role: 'primary' | 'replica') =>
    until(async () => {
      const are = await Promise.all(nodes.map(({ api }) => isOk(`${api}/${role}`)))
      return nodes[are.indexOf(true)]
    }, `a ${role}`)
  const cluster: PatroniCluster = {
    writerAddress: addressOf(`127.0.0.1:${writer}`),
    readerAddress: addressOf(`127.0.0.1:${reader}`),
    run: statement => run(cluster.writerAddress, statement),
    leader: () => inRole('primary'),
    replica: () => inRole('replica'),
    async switchover() {
      const [{ name: leader, api }, { name: candidate }] = [await inRole('primary'), await inRole('replica')]
      const body = JSON.stringify({ leader, candidate })
      const response = await fetch(`${api}/switchover`, { method: 'POST', body })
      if (!response.ok) throw new Error(`no switchover: ${await response.text()}`)
    },
    async untilWritable() {
      const write = "select pg_logical_emit_message(true, 'written', '')"
      await until(() => succeeds(cluster.run(write)), 'a statement that writes')
    },
    async untilHealthy() {
      const isReplica = (address: string) =>
        run<{ is: boolean }>(address, 'select pg_is_in_recovery() as is').then(
          ([row]) => row?.is,
          () => undefined,
        )
      await until(async () => areWhole(await membersOf(first.api)), 'a leader and a replica')
      await until(async () => (await isReplica(cluster.readerAddress)) === true, 'the replica being read')
      await until(
        async () => (await isReplica(cluster.writerAddress)) === false,
        'the leader being written to',
      )
    },
  }

  await first.start()
  const postgres = addressOf(`127.0.0.1:${writer}`, 'postgres')
  await until(() => succeeds(run(postgres, 'create database pds')), 'the database')
  // Nothing must outlive a crash of the machine. The replica copies the setting.
  await run(postgres, 'alter system set fsync = off')
  await run(postgres, 'select pg_reload_conf()')
  await second.start()
  await cluster.untilHealthy()
  return cluster
}

async function startEtcd(folder: string): Promise<string> {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`]
  startIn(folder, ETCD, [
    ...[
      '--enable-v2',
      '--data-dir',
      'etcd',
      '--listen-client-urls',
      client,
      '--advertise-client-urls',
      client,
    ],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`],
  ])
  await until(() => isOk(`${client}/health`), 'etcd')
  return new URL(client).host
}

async function makeNode(parent: string, name: string, etcd: string) {
  const folder = join(parent, name)
  const data = join(folder, 'data')
  await mkdir(folder)
  await giveFolder(folder)
  const [server, apiPort] = [`127.0.0.1:${await freePort()}`, String(await freePort())]
  const api = `127.0.0.1:${apiPort}`
  const environment = {
    PATRONI_NAME: name,
    PATRONI_ETCD_HOSTS: etcd,
    PATRONI_RESTAPI_LISTEN: api,
    PATRONI_RESTAPI_CONNECT_ADDRESS: api,
    PATRONI_POSTGRESQL_LISTEN: server,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: server,
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_BIN_DIR: postgresFolder() ?? '',
    PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: 'pds',
    PATRONI_SUPERUSER_PASSWORD: 'pds',
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: 'replicator',
  }
  /** The process that replays. Were it asked to pause, Patroni would ask it to go on. */
  async function replaying(): Promise<number[]> {
    const statement = "select pid from pg_stat_activity where backend_type = 'startup'"
    return (await run<{ pid: number }>(addressOf(server), statement)).map(({ pid }) => pid)
  }
  const node: PatroniNode = {
    name,
    killPostgres: () => kill(() => processesIn(data)),
    lose: () => kill(() => processesIn(folder, data)),
    freeze: async () => signal(await processesIn(folder, data), 'SIGSTOP'),
    thaw: async () => signal(await processesIn(folder, data), 'SIGCONT'),
    async start() {
      startIn(folder, PATRONI, ['../patroni.yml'], environment)
      await until(() => isOk(`http://${api}/health`), `PostgreSQL of ${name}`)
    },
    pauseReplay: async () => signal(await replaying(), 'SIGSTOP'),
    resumeReplay: async () => signal(await replaying(), 'SIGCONT'),
  }
  return { ...node, server, api: `http://${api}`, apiPort }
}

/** Starts a program in a folder by which it is found again. */
function startIn(
  folder: string,
  program: string | undefined,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void {
  const env = { PATH: process.env.PATH, ...environment }
  spawn(program ?? '', words, {
    ...serverUser(),
    cwd: folder,
    env,
    detached: true,
    stdio: 'ignore',
  }).unref()
}

/** The processes that work in one of these folders: PostgreSQL's work in its data. */
async function processesIn(...folders: readonly string[]): Promise<number[]> {
  const ids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const places = await Promise.all(ids.map(id => readlink(`/proc/${id}/cwd`).catch(() => '')))
  return ids.filter((_, index) => folders.includes(places[index] ?? ''))
}

function signal(ids: readonly number[], name: NodeJS.Signals): void {
  for (const id of ids)
    try {
      process.kill(id, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

/** Kills processes, and waits until they are gone. Others may have come in their place. */
async function kill(find: () => Promise<number[]>): Promise<void> {
  const ids = await find()
  signal(ids, 'SIGKILL')
  await until(async () => !(await find()).some(id => ids.includes(id)), 'processes being gone')
}

interface Member {
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number
}

async function membersOf(api: string): Promise<readonly Member[]> {
  const { ok, text } = await ask(`${api}/cluster`)
  return ok ? JSON.parse(text).members : []
}

/** Whether one leads and one follows it, on the same history and with all that was written. */
const areWhole = (members: readonly Member[]) =>
  members
    .map(({ role }) => role)
    .sort()
    .join() === 'leader,replica' &&
  members.every(
    ({ state, timeline, lag = 0 }) => state === 'running' && timeline === members[0]?.timeline && lag === 0,
  )

/** A frozen machine takes connections and answers nothing. */
async function ask(url: string): Promise<{ ok: boolean; text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) })
    return { ok: response.ok, text: await response.text() }
  } catch (error) {
    return { ok: false, text: String(error) }
  }
}

const isOk = async (url: string) => (await ask(url)).ok

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

const addressOf = (host: string, database = 'pds') => `postgres://pds:pds@${host}/${database}`

function reasonAgainst(): string | false {
  if (postgresFolder() === undefined) return NO_POSTGRES
  if (PATRONI === undefined || ETCD === undefined || HAPROXY === undefined)
    return 'no Patroni, etcd and HAProxy here: `apt-get install patroni etcd-server haproxy`'
  return process.platform !== 'linux' && 'the processes of a server are found in /proc (Linux)'
}
