import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCitus } from '../../test/support/citus.ts'
import { freePort } from '../../test/support/free-port.ts'
import {
  addressOf,
  giveFolder,
  makeServer,
  type Settings,
  startServer,
  untilAnswering,
} from '../../test/support/postgres-server.ts'

/**
 * The settings of an operator on a machine with 8 GB for PostgreSQL; all others are the defaults. Unlike the tests' servers,
 * this server keeps its data through a crash. Slow statements of an import are logged.
 */
const SETTINGS: Settings = {
  ...{ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' },
  ...{ shared_buffers: '2GB', effective_cache_size: '6GB', random_page_cost: '1.1' },
  ...{ max_wal_size: '8GB', checkpoint_timeout: '15min', wal_compression: 'on' },
  ...{ log_min_duration_statement: 100, log_line_prefix: '', log_filename: 'bench.log' },
}

/** A server of the bench, with one database, which is empty at first. */
export interface BenchServer {
  readonly address: string
  readonly settings: Settings
  /** The statements of a tenth of a second or more since the last call. */
  slowStatements(): { ms: number; text: string }[]
  end(): Promise<void>
}

/** Starts a server in a temporary folder, which is removed with the server. */
export async function startBenchServer(): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pds-bench-sql-'))
  await giveFolder(folder)
  const place = { folder, data: join(folder, 'data'), port: await freePort() }
  await makeServer(place)
  const server = await startServer(place, SETTINGS)
  await untilAnswering(place.port)
  const log = join(folder, 'bench.log')
  let read = 0
  return {
    address: addressOf(place.port, 'postgres'),
    settings: SETTINGS,
    slowStatements() {
      const text = existsSync(log) ? readFileSync(log, 'utf8') : ''
      const fresh = text.slice(read)
      read = text.length
      return [...fresh.matchAll(SLOW)].map(([, ms, statement = '']) => ({
        ms: Number(ms),
        text: statement.replace(/\s+/g, ' ').trim(),
      }))
    },
    async end() {
      await server.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a coordinator of Citus with two workers. Its slow statements are not gathered. */
export async function startBenchCitus(): Promise<BenchServer> {
  const ends: (() => Promise<void>)[] = []
  const { coordinator } = await startCitus({ after: end => void ends.push(end) }, SETTINGS)
  return {
    address: coordinator.address('pds'),
    settings: SETTINGS,
    slowStatements: () => [],
    async end() {
      for (const end of ends) await end()
    },
  }
}

/** A slow statement in the log. Its further lines start with a tab. */
const SLOW = /^LOG: {2}duration: ([\d.]+) ms {2}(?:statement|execute [^:]*): (.*(?:\n\t.*)*)/gm
