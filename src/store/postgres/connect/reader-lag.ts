import type { Reader } from '../../engine.ts'
import { readAddress } from './address.ts'
import { readTarget } from './servers.ts'
import { withSession } from './session.ts'

/** The position in the log that a server has written or applied. */
const POSITION = 'case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end'

interface Lag {
  readonly isStandby: boolean
  /** Null if a server does not report its position. */
  readonly bytes: number | null
}

/** Checks the server that releases are read from. */
export async function readerOf(address: string, readUrl: string): Promise<Reader> {
  const target = readAddress(address)
  const from = readTarget(target, readUrl)
  const { shown } = from
  // The primary's position is read first: its later writes are no lag.
  const written = await withSession(target, async ({ client }) => {
    const { rows } = await client.query<{ position: string | null }>(`select ${POSITION} as position`)
    return rows[0]?.position
  }).catch(() => undefined)
  try {
    return await withSession(from, async ({ client }) => {
      const { rows } = await client.query<Lag>(
        `select pg_is_in_recovery() as "isStandby", pg_wal_lsn_diff($1::pg_lsn, ${POSITION}) as bytes`,
        [written],
      )
      const { isStandby = false, bytes = null } = rows[0] ?? {}
      return { shown, isStandby, bytesBehind: bytes === null ? undefined : Math.max(0, bytes) }
    })
  } catch (error) {
    return { shown, failure: error instanceof Error ? error.message : String(error) }
  }
}
