import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { emptyFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { serverUser } from './postgres-programs.ts'
import { addressOf, giveFolder, run, untilAnswering } from './postgres-server.ts'
import { installedProgram, startProgram } from './programs.ts'

const BINARY = installedProgram('pgbouncer')

/** Why tests that need pgbouncer are skipped; false where they need not be. */
export const NO_PGBOUNCER: string | false =
  BINARY === undefined && 'no pgbouncer here: `apt-get install pgbouncer`'

/** A pooler in transaction mode in front of a server of the tests. */
export interface Pooler {
  readonly port: number
  /** Statements and transactions that it has passed on so far. */
  passedOn(): Promise<number>
}

/** Starts pgbouncer, with so few connections to the server that they are shared. It ends with the test. */
export async function startPgbouncer(t: TestContext, serverPort: number): Promise<Pooler> {
  const folder = await emptyFolder(t)
  await giveFolder(folder)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    admin_users: 'pds',
    pool_mode: 'transaction',
    default_pool_size: 4,
    max_client_conn: 500,
    ignore_startup_parameters: 'extra_float_digits,options',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const databases = `* = host=127.0.0.1 port=${serverPort} user=pds`
  await writeFile(file, ['[databases]', databases, '[pgbouncer]', ...lines, ''].join('\n'))
  const { end } = await startProgram(BINARY, [file], serverUser())
  t.after(end)
  await untilAnswering(port)
  return {
    port,
    async passedOn() {
      const rows = await run<{ total_query_count: string }>(addressOf(port, 'pgbouncer'), 'show stats')
      return rows.reduce((sum, row) => sum + Number(row.total_query_count), 0)
    },
  }
}
