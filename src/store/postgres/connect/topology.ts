import type { Client } from 'pg'
import { type DegradedComponent, StoreUnusableError } from '../../store.ts'
import { MIGRATIONS } from '../schema.ts'
import { readAddress, shownHost, type Target } from './address.ts'
import { WrongRoleError } from './client.ts'
import { openServers, type Servers } from './connections.ts'
import { toStoreError } from './faults.ts'
import type { Unavailable } from './server.ts'

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
      throw new StoreUnusableError(`${shown} does not have the schema of this version of the service yet`)
  }

export async function closeTopology({ primary, replicas }: Topology): Promise<void> {
  await Promise.all([primary.end(), replicas?.end()])
}

/** The unavailable servers. A server of another role than required does not count while others are available. */
export function degradedComponents({ primary, replicas }: Topology): DegradedComponent[] {
  const degraded: DegradedComponent[] = []
  const add = (part: DegradedComponent['part'], shown: string, { since, reason }: Unavailable) => {
    const explained = toStoreError(reason, { shown })
    const detail = explained instanceof Error ? explained.message : String(explained)
    degraded.push({ part, since: since.toISOString(), detail })
  }
  const outage = primary.unavailable()
  if (outage !== undefined) add('primary', primary.target.shown, outage)
  const isAnyThere = replicas !== undefined && replicas.unavailable() === undefined
  for (const server of replicas?.all ?? []) {
    const outage = server.unavailable()
    if (outage === undefined || (isAnyThere && outage.reason instanceof WrongRoleError)) continue
    add('read host', shownHost(server.host), outage)
  }
  return degraded
}
