import { within } from '../../../values/promises.ts'
import { StoreUnusableError } from '../../store.ts'
import {
  type Connections,
  LONG_MS,
  type Rows,
  type Server,
  type ServerConnection,
  silence,
} from '../connect/connections.ts'
import { isDamage, isTransient } from '../connect/faults.ts'
import type { Servers } from '../connect/servers.ts'

/** However many servers a request has asked, it fails this long after the time that a statement may take. */
const ELSEWHERE_MS = 400

/**
 * Returns connections for single statements on one release: from the reader first, and then from the primary, each twice after
 * transient errors. A standby that has not applied the publication yet may have half of the content, and is skipped. Only the
 * primary can prove that anything is missing. `long` is as for a server's connections.
 */
export function releaseReader({ primary, reader }: Servers, name: string, long = false): Connections {
  const { schema, statementMs } = primary.target
  const servers = reader === undefined ? [primary] : [reader, primary]
  /** Connections to a reader that has the release; another connection may lead to another standby. */
  const entered = new WeakSet<object>()

  async function has({ session, query }: ServerConnection): Promise<boolean> {
    if (entered.has(session)) return true
    // A pruned release has a row as long as its content remains.
    const { rows } = await query(`select 1 from "${schema}".release_files where name = $1`, [name])
    if (rows.length > 0) entered.add(session)
    return rows.length > 0
  }

  /** Asks one server; undefined if it lacks the release. */
  async function ask(server: Server, text: string, values?: readonly unknown[]): Promise<Rows | undefined> {
    const connection = await server.connect({ long })
    try {
      if (server !== primary && !(await has(connection))) return undefined
      return await connection.query(text, values)
    } finally {
      connection.release()
    }
  }

  async function query(text: string, values?: readonly unknown[]): Promise<Rows> {
    let failure: unknown = new StoreUnusableError('no reachable server has the release yet')
    const deadline = performance.now() + (long ? LONG_MS : statementMs) + ELSEWHERE_MS
    for (const server of [...servers, ...servers]) {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) break
      try {
        const rows = await within(leftMs, ask(server, text, values), silence)
        if (rows !== undefined) return rows
      } catch (error) {
        if (server !== primary && isDamage(error)) continue
        if (!isTransient(error)) throw error
        failure = error
      }
    }
    throw failure
  }

  return { connect: async () => ({ query, release() {} }) }
}
