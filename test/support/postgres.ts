import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** What to do where there is no PostgreSQL. */
export const NO_POSTGRES =
  'PostgreSQL is not here: `apt-get install postgresql`, or name the folder of initdb and postgres in POSTGRES_BIN' +
  ' (for root, a user "postgres" as well)'

/** The folder of PostgreSQL's programs: the environment's choice, else the newest of Debian's, else of the path. */
export function postgresFolder(): string | undefined {
  if (serverUser() === undefined) return undefined
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  return [
    process.env.POSTGRES_BIN ?? '',
    ...versions.map(version => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ].find(folder => folder !== '' && ['initdb', 'postgres'].every(name => existsSync(join(folder, name))))
}

/** A cluster of this process, on a port of its own. */
export interface Cluster {
  readonly port: number
  /** Makes an empty database and gives its address. */
  emptyDatabase(): Promise<string>
  /** Makes a folder the server's own. */
  giveFolder(path: string): Promise<void>
}

let started: Promise<Cluster> | undefined

/** This process's cluster, started when it is first asked for; it ends with the process, however that ends. */
export function cluster(): Promise<Cluster> {
  started ??= startCluster()
  return started
}

async function startCluster(): Promise<Cluster> {
  const bin = postgresFolder()
  const owner = serverUser()
  if (bin === undefined || owner === undefined) throw new Error(NO_POSTGRES)
  const folder = await mkdtemp(join(tmpdir(), 'pds-postgres-'))
  const giveFolder = async (path: string) => {
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(path, owner.uid, owner.gid)
  }
  await giveFolder(folder)
  const data = join(folder, 'data')
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'pds', '-A', 'trust', '-E', 'UTF8', '-N', '--locale=C'],
    {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const port = await freePort()
  startServer(join(bin, 'postgres'), folder, data, port, owner)
  const address = (database: string) => `postgres://pds@127.0.0.1:${port}/${database}`
  await until(
    () =>
      run(address('postgres'), 'select 1').then(
        () => true,
        () => false,
      ),
    'PostgreSQL',
  )
  let databases = 0
  return {
    port,
    giveFolder,
    async emptyDatabase() {
      const name = `test${++databases}`
      await run(address('postgres'), `create database ${name}`)
      return address(name)
    },
  }
}

interface User {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root: the user that it runs as instead, if there is one. */
function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return {}
  const numberOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: numberOf('-u'), gid: numberOf('-g') }
  } catch {
    return undefined
  }
}

/**
 * The server's parent waits for the end of this process, which is the end of its input, and then ends the server and
 * removes its files. In a group of its own, so that an interrupt from the keyboard leaves it time for that.
 */
function startServer(postgres: string, folder: string, data: string, port: number, owner: User): void {
  const watch = '"$@" < /dev/null & server=$!; read -r _; kill -QUIT $server; wait $server; rm -rf "$0"'
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: 200,
    logging_collector: 'on',
    log_directory: folder,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const watcher = spawn('sh', ['-c', watch, folder, postgres, '-D', data, ...flags], {
    ...owner,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  // A pipe of a child is a socket, which keeps the process running unless it is told not to.
  const { stdin } = watcher
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
}

/** Runs a statement on a connection of its own. */
async function run(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
