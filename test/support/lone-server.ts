import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { type PostgresNode, postgresNode } from './postgres-node.ts'
import { giveFolder, makeServer, type Settings } from './postgres-server.ts'

/** A test, or what else ends servers that it started. */
export interface Ending {
  after(end: () => Promise<void>): void
}

/** Starts a server of the test's own, which may be killed and frozen, with an empty database `pds`. */
export async function startLoneServer(t: Ending, settings: Settings = {}): Promise<PostgresNode> {
  const folder = await mkdtemp(join(tmpdir(), 'pds-server-'))
  await giveFolder(folder)
  const place = {
    folder: join(folder, 'server'),
    data: join(folder, 'server', 'data'),
    port: await freePort(),
  }
  await mkdir(place.folder)
  await giveFolder(place.folder)
  const node = postgresNode(place, settings)
  t.after(async () => {
    await node.kill()
    await rm(folder, { recursive: true, force: true })
  })
  await makeServer(place)
  await node.start()
  await node.run('create database pds')
  return node
}
