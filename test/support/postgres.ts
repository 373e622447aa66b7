import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { freePort } from './free-port.ts'
import { addressOf, giveFolder, makeServer, startServer, untilAnswering } from './postgres-server.ts'

export { NO_POSTGRES, postgresFolder } from './postgres-programs.ts'

/** A cluster of this process, on a port of its own. */
export interface Cluster {
  readonly port: number
  /** The parent of its processes. */
  readonly pid: number
  /** Makes a database, empty or a copy of another one, and gives its address. */
  emptyDatabase(template?: string): Promise<string>
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
  const folder = await mkdtemp(join(tmpdir(), 'pds-postgres-'))
  await giveFolder(folder)
  const place = { folder, data: join(folder, 'data'), port: await freePort() }
  await makeServer(place)
  const { pid } = await startServer(place)
  await untilAnswering(place.port)
  // One connection for all databases, since each new one takes 30 ms. It does not keep this process running.
  const connectionString = addressOf(place.port, 'postgres')
  const pool = new Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  pool.on('error', () => {})
  let databases = 0
  return {
    port: place.port,
    pid,
    giveFolder,
    async emptyDatabase(template = 'template1') {
      const name = `test${++databases}`
      await pool.query(`create database ${name} template ${template} strategy file_copy`)
      return addressOf(place.port, name)
    },
  }
}
