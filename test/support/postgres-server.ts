import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Client, type QueryResultRow } from 'pg'
import { NO_POSTGRES, postgresFolder, type ServerUser, serverUser } from './postgres-programs.ts'
import { until } from './until.ts'

/** What a server of the tests is started with, unless other settings are given: nothing here must outlive a crash of the machine. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: 200,
  logging_collector: 'on',
  // In its folder, which goes with it; a killed server leaves the shared memory of the system behind.
  dynamic_shared_memory_type: 'mmap',
}

export type Settings = Readonly<Record<string, string | number>>

/** Where a server lies, and on which port it listens. */
export interface Place {
  /** Removed with everything in it when this process ends while the server runs. */
  readonly folder: string
  readonly data: string
  readonly port: number
}

/** A server that runs until it is ended, at the latest with this process. */
export interface RunningServer {
  /** The parent of its processes. */
  readonly pid: number
  /** Ends it, if it still runs, and waits until it is gone; its folder stays. */
  end(): Promise<void>
}

/**
 * The shell tells the server's id and waits for a word, or for the end of its input, which is the end of this process.
 * Then it ends the server, even one that is frozen, and without a word removes its files, and the folder around them if
 * it is empty.
 */
const WATCH =
  '"$@" < /dev/null > /dev/null & server=$!; echo $server; read -r word; ' +
  'kill -CONT $server $(cat /proc/$server/task/$server/children); kill -QUIT $server; ' +
  'wait $server; [ "$word" ] || { rm -rf "$0"; rmdir "$(dirname "$0")"; }'

/** Starts a server; it does not wait until it answers. */
export async function startServer(
  { folder, data, port }: Place,
  settings: Settings = {},
): Promise<RunningServer> {
  const { bin, owner } = programs()
  const all = { ...SETTINGS, port, log_directory: folder, ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const shell = spawn('sh', ['-c', WATCH, folder, join(bin, 'postgres'), '-D', data, ...flags], {
    ...owner,
    cwd: folder,
    // In a group of its own, so that an interrupt from the keyboard leaves it time.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const gone = once(shell, 'exit')
  const [pid] = await once(createInterface(shell.stdout), 'line')
  shell.unref()
  for (const pipe of [shell.stdin, shell.stdout]) letProcessEnd(pipe)
  return {
    pid: Number(pid),
    async end() {
      shell.ref()
      shell.stdin.end('end\n')
      await gone
    },
  }
}

/** A pipe of a child is a socket, which keeps the process running unless it is told not to. */
function letProcessEnd(pipe: object): void {
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
}

/** Makes the files of a new server, whose user is `pds`. */
export async function makeServer({ folder, data }: Place): Promise<void> {
  const words = ['-D', data, '-U', 'pds', '-A', 'trust', '-E', 'UTF8', '-N', '--locale=C']
  await runProgram(folder, 'initdb', words)
}

/** Runs one of PostgreSQL's programs as the server's user. */
export async function runProgram(folder: string, name: string, words: readonly string[]): Promise<void> {
  const { bin, owner } = programs()
  await promisify(execFile)(join(bin, name), words, { ...owner, cwd: folder })
}

/** Makes a folder the server's own. */
export async function giveFolder(path: string): Promise<void> {
  const { uid, gid } = programs().owner
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

function programs(): { bin: string; owner: ServerUser } {
  const bin = postgresFolder()
  const owner = serverUser()
  if (bin === undefined || owner === undefined) throw new Error(NO_POSTGRES)
  return { bin, owner }
}

/** The address of a database of a server of the tests. */
export const addressOf = (port: number, database: string): string =>
  `postgres://pds@127.0.0.1:${port}/${database}`

/** Waits until a server answers. */
export async function untilAnswering(port: number): Promise<void> {
  const address = addressOf(port, 'postgres')
  await until(() => run(address, 'select 1').then(Boolean, () => false), 'PostgreSQL')
}

/** Runs a statement on a connection of its own and gives its rows. */
export async function run<R extends QueryResultRow>(address: string, statement: string): Promise<R[]> {
  const client = new Client({ connectionString: address, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<R>(statement)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
