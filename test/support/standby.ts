import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from './free-port.ts'
import { type PostgresNode, postgresNode } from './postgres-node.ts'
import { NO_POSTGRES, postgresFolder } from './postgres-programs.ts'
import { giveFolder, makeServer, type Settings } from './postgres-server.ts'

/** Why tests that need a primary with a standby are skipped; false where they need not be. */
export const NO_STANDBY: string | false = reasonAgainst()

/** Two servers of which one follows the other. Which one that is changes with `promote` and `follow`. */
export interface PostgresPair {
  /** What was the primary at first. */
  readonly primary: PostgresNode
  /** What was the standby at first. */
  readonly standby: PostgresNode
}

/** A standby that comes back finds what it has missed, and looks for its primary more often than each 5 s. */
const STREAMING = {
  hot_standby: 'on',
  wal_level: 'replica',
  wal_keep_size: '512MB',
  wal_retrieve_retry_interval: '200ms',
  // A commit is sent at once, and waits for no standby.
  synchronous_commit: 'local',
}

/**
 * Starts a primary and a hot standby that streams from it, asynchronously, with an empty database `pds`. Both end with
 * the test, and with the process of the test, however that ends. `settings` are of both servers.
 */
export async function startPair(t: TestContext, settings: Settings = {}): Promise<PostgresPair> {
  const folder = await mkdtemp(join(tmpdir(), 'pds-pair-'))
  const made: PostgresNode[] = []
  t.after(async () => {
    await Promise.all(made.map(node => node.kill()))
    await rm(folder, { recursive: true, force: true })
  })
  await giveFolder(folder)
  const makeNode = async (name: string) => {
    const place = { folder: join(folder, name), data: join(folder, name, 'data'), port: await freePort() }
    await mkdir(place.folder)
    await giveFolder(place.folder)
    const node = postgresNode(place, { ...STREAMING, ...settings })
    made.push(node)
    return { place, node }
  }
  const { place, node: primary } = await makeNode('primary')
  const { node: standby } = await makeNode('standby')
  await makeServer(place)
  await primary.start()
  await primary.run('create database pds')
  await standby.follow(primary)
  return { primary, standby }
}

function reasonAgainst(): string | false {
  const folder = postgresFolder()
  if (folder === undefined) return NO_POSTGRES
  if (!existsSync(join(folder, 'pg_basebackup'))) return `pg_basebackup is not in ${folder}`
  return process.platform !== 'linux' && 'the processes of a server are found in /proc (Linux)'
}
