import type { Client } from 'pg'
import type { Target } from './address.ts'
import { connectAlone } from './client.ts'

/** Connections over which the server works on one release. */
export interface Lanes {
  readonly first: Client
  /**
   * Does pieces of work, as many at once as there are connections, and gives what each gave, in their order. Throws what
   * went wrong first, once nothing is under way any more.
   */
  share<T>(pieces: readonly Work<T>[]): Promise<T[]>
  /** Ends all but the first. */
  end(): Promise<void>
}

export type Work<T> = (client: Client) => Promise<T>

/** Of fewer rows all is done before a connection is there. */
const ROWS_FOR_TWO = 20_000

/**
 * Opens what is worth opening for so many rows besides a connection that is there, to the same server. A server that has
 * none to spare is worked on over the first alone.
 */
export async function openLanes(target: Target, first: Client, rows: number): Promise<Lanes> {
  const lanes = [first]
  if (rows >= ROWS_FOR_TWO) {
    const same: Target = { ...target, hosts: [{ host: first.host, port: first.port }] }
    const second = await connectAlone(same).catch(() => undefined)
    if (second !== undefined) lanes.push(second)
  }
  for (const client of lanes) await makeRoom(client)
  return {
    first,
    share: pieces => shareOut(lanes, pieces),
    async end() {
      for (const client of lanes.splice(1)) await client.end().catch(() => undefined)
    },
  }
}

async function shareOut<T>(lanes: readonly Client[], pieces: readonly Work<T>[]): Promise<T[]> {
  const done: T[] = []
  const left = pieces.entries()
  let failure: { readonly error: unknown } | undefined
  await Promise.all(
    lanes.map(async client => {
      for (const [at, work] of left) {
        if (failure !== undefined) return
        try {
          done[at] = await work(client)
        } catch (error) {
          failure ??= { error }
        }
      }
    }),
  )
  if (failure !== undefined) throw failure.error
  return done
}

/**
 * Sorting in memory is several times as fast, and there is one import at a time; a server that gives more is left so.
 * Servers that can (14 and later) look now and then whether the import is still there, so that a long statement of one
 * that was killed does not go on.
 */
async function makeRoom(client: Client): Promise<void> {
  for (const [name, value] of [
    ['work_mem', 128 * KIB_A_MIB],
    ['maintenance_work_mem', 512 * KIB_A_MIB],
    ['client_connection_check_interval', 2000],
  ])
    await client.query(
      `select set_config(name, $2, false) from pg_catalog.pg_settings
        where case name when $1 then setting::bigint < $2::bigint end`,
      [name, value],
    )
}

/** The server counts memory in KiB, and time in milliseconds. */
const KIB_A_MIB = 1024
