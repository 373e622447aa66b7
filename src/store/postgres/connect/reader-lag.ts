import type { Client } from 'pg'
import type { Reader } from '../../engine.ts'
import { readAddress } from './address.ts'
import { connectAlone } from './connections.ts'
import { toStoreError } from './faults.ts'
import { readTarget } from './servers.ts'

/** The position in the log that a server has written or applied. */
const POSITION = `
  select pg_is_in_recovery() as "isStandby",
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end as position`

interface Position {
  readonly isStandby: boolean
  /** Null if the server does not report it. */
  readonly position: string | null
}

/** Checks the server that releases are read from. The addresses of the store and of the reader are what follows their schemes. */
export async function checkReader(address: string, readFrom: string): Promise<Reader> {
  const target = readAddress(address)
  const from = readTarget(target, readFrom)
  const { shown } = from
  let primary: Client | undefined
  let reader: Client | undefined
  try {
    primary = await connectAlone(target).catch(() => undefined)
    reader = await connectAlone(from)
    // The primary's position is read first: its later writes are no lag.
    const written = await positionOf(primary)
    const applied = await positionOf(reader)
    const { rows } = await reader.query<{ bytes: number | null }>(
      'select greatest(0, pg_wal_lsn_diff($1::pg_lsn, $2::pg_lsn)) as bytes',
      [written?.position, applied?.position],
    )
    return { shown, isStandby: applied?.isStandby === true, bytesBehind: rows[0]?.bytes ?? undefined }
  } catch (error) {
    const explained = toStoreError(error, from)
    return { shown, failure: explained instanceof Error ? explained.message : String(explained) }
  } finally {
    for (const client of [primary, reader]) await client?.end().catch(() => undefined)
  }
}

async function positionOf(client: Client | undefined): Promise<Position | undefined> {
  return (await client?.query<Position>(POSITION))?.rows[0]
}
