import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Ending, startLoneServer } from './lone-server.ts'
import type { PostgresNode } from './postgres-node.ts'
import { postgresFolder } from './postgres-programs.ts'
import type { Settings } from './postgres-server.ts'
import { NO_STANDBY } from './standby.ts'

/** Why tests on Citus are skipped; false where they need not be. */
export const NO_CITUS: string | false =
  NO_STANDBY || (!isInstalled() && 'Citus is not installed in PostgreSQL')

/** A coordinator with two workers. */
export interface Citus {
  readonly coordinator: PostgresNode
  readonly workers: readonly PostgresNode[]
}

/** Nodes look for a client's certificate in the home folder of who runs the tests, which their user may not read. */
const SETTINGS = { shared_preload_libraries: 'citus', 'citus.node_conninfo': 'sslmode=disable' }

/** Starts a coordinator with two workers and an empty database `pds` of all three; they end with the test. */
export async function startCitus(t: Ending, settings: Settings = {}): Promise<Citus> {
  const startNode = async () => {
    const node = await startLoneServer(t, { ...SETTINGS, ...settings })
    await node.run('create extension citus', 'pds')
    return node
  }
  const [coordinator, ...workers] = await Promise.all([startNode(), startNode(), startNode()])
  await coordinator.run(`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`, 'pds')
  for (const { port } of workers) await coordinator.run(`select citus_add_node('127.0.0.1', ${port})`, 'pds')
  return { coordinator, workers }
}

let started: Promise<Citus> | undefined

let schemas = 0

/** Makes a schema in this process's Citus, which ends with the process, and gives its address. */
export async function emptySchema(): Promise<string> {
  started ??= startCitus({ after() {} })
  const { coordinator } = await started
  const schema = `store${++schemas}`
  await coordinator.run(`create schema ${schema}`, 'pds')
  return `${coordinator.address('pds')}?schema=${schema}`
}

function isInstalled(): boolean {
  const program = join(postgresFolder() ?? '', 'pg_config')
  if (!existsSync(program)) return false
  const folder = execFileSync(program, ['--sharedir'], { encoding: 'utf8' }).trim()
  return existsSync(join(folder, 'extension', 'citus.control'))
}
