import type { Client } from 'pg'
import { StoreUnusableError } from '../../store.ts'
import { MIGRATIONS } from '../migrations.ts'
import { readAddress, type Target } from './address.ts'
import { openServers, type Servers } from './connections.ts'

/** The primary and the replicas of a store. */
export interface Topology {
  /** Has all data, and is authoritative. */
  readonly primary: Servers
  /** Servers that follow the primary, from which releases are read first; undefined if there are none. */
  readonly replicas: Servers | undefined
}

/**
 * Returns the servers of a database and of its read address, not connected yet. Both addresses are what follows the
 * scheme. The second defaults to the schema of the first.
 */
export function openTopology(target: Target, readFrom: string | undefined): Topology {
  const primary = openServers(target)
  if (readFrom === undefined) return { primary, replicas: undefined }
  const { schema } = target
  const readTarget = readAddress(readFrom, { schema })
  if (readTarget.schema !== schema)
    throw new StoreUnusableError(
      `reading is from the schema ${readTarget.schema} and writing into ${schema}: name the same in both addresses`,
    )
  return { primary, replicas: openServers(readTarget, { inOrder: true, check: hasSchema(readTarget) }) }
}

/** A standby may lag behind this version's migrations of the schema. */
const hasSchema =
  ({ schema, shown }: Target) =>
  async (client: Client): Promise<void> => {
    const name = `"${schema}".migrations`
    const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      name,
    ])
    const version = rows[0]?.there
      ? (await client.query<{ version: number }>(`select max(version) as version from ${name}`)).rows[0]
          ?.version
      : 0
    if ((version ?? 0) < MIGRATIONS.length)
      throw new StoreUnusableError(`${shown} has not the schema of this version of the service yet`)
  }

export async function closeTopology({ primary, replicas: reads }: Topology): Promise<void> {
  await Promise.all([primary.end(), reads?.end()])
}
