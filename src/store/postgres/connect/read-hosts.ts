import type { Client } from 'pg'
import type { ReadHost } from '../../engine.ts'
import { readAddress, shownHost, type Target } from './address.ts'
import { connectAlone } from './client.ts'
import { toStoreError } from './faults.ts'

/** The position in the log that a server has written or applied. */
const POSITION = `
  select pg_is_in_recovery() as "isStandby",
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end as position`

interface Position {
  readonly isStandby: boolean
  /** Null if the server does not report it. */
  readonly position: string | null
}

/** Checks each of the hosts that releases are read from. Addresses are what follows their schemes. */
export async function checkPostgresReadHosts(address: string, readFrom: string): Promise<ReadHost[]> {
  const target = readAddress(address)
  const readTarget = readAddress(readFrom, { schema: target.schema })
  const primary = await connectAlone(target).catch(() => undefined)
  try {
    const hosts: ReadHost[] = []
    for (const host of readTarget.hosts) hosts.push(await lookAt({ ...readTarget, hosts: [host] }, primary))
    return hosts
  } finally {
    await primary?.end()
  }
}

async function lookAt(target: Target, primary: Client | undefined): Promise<ReadHost> {
  const [first] = target.hosts
  const host = first === undefined ? '' : shownHost(first)
  let client: Client | undefined
  try {
    client = await connectAlone(target)
    // Read the primary's position first, so that what it writes meanwhile does not count as lag.
    const written = await positionOf(primary)
    const shown = await positionOf(client)
    return { host, isStandby: shown?.isStandby === true, bytesBehind: await distance(client, written, shown) }
  } catch (error) {
    const explained = toStoreError(error, { shown: host })
    return { host, failure: explained instanceof Error ? explained.message : String(explained) }
  } finally {
    await client?.end().catch(() => undefined)
  }
}

async function positionOf(client: Client | undefined): Promise<Position | undefined> {
  return (await client?.query<Position>(POSITION))?.rows[0]
}

async function distance(
  client: Client,
  written: Position | undefined,
  shown: Position | undefined,
): Promise<number | undefined> {
  if (written === undefined || shown === undefined) return undefined
  const { rows } = await client.query<{ bytes: number | null }>(
    'select greatest(0, pg_wal_lsn_diff($1::pg_lsn, $2::pg_lsn)) as bytes',
    [written.position, shown.position],
  )
  return rows[0]?.bytes ?? undefined
}
