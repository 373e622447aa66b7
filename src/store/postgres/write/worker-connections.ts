import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/client.ts'

/** Connections over which the server works on one release. */
export interface Lanes {
  /**
   * Does pieces of work, as many at once as there are connections, and gives what each gave, in their order. Throws what
   * went wrong first, once nothing is under way any more.
   */
  share<T>(pieces: readonly Work<T>[]): Promise<T[]>
  /** Does one piece of work, over the first connection. */
  alone<T>(work: Work<T>): Promise<T>
  /** Breaks off what the server is about, and waits until nothing is under way; whoever waits for that is thrown an error. */
  cancel(): Promise<void>
  /** Ends all connections but the first. */
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
  const same: Target = { ...target, hosts: [{ host: first.host, port: first.port }] }
  const lanes = [first]
  if (rows >= ROWS_FOR_TWO) {
    const second = await connectAlone(same).catch(() => undefined)
    if (second !== undefined) lanes.push(second)
  }
  for (const client of lanes) await makeRoom(client)
  let isCancelled = false
  let underWay: Promise<unknown> = Promise.resolve()

  async function share<T>(over: readonly Client[], pieces: readonly Work<T>[]): Promise<T[]> {
    const shared = shareOut(over, pieces, () => isCancelled)
    underWay = shared.catch(() => undefined)
    return shared
  }

  return {
    share: pieces => share(lanes, pieces),
    async alone(work) {
      const [done] = await share([first], [work])
      return done as Awaited<ReturnType<typeof work>>
    },
    async cancel() {
      isCancelled = true
      await whileUnderWay(underWay, () => cancelWork(same, lanes))
    },
    async end() {
      for (const client of lanes.splice(1)) await client.end().catch(() => undefined)
    },
  }
}

async function shareOut<T>(
  lanes: readonly Client[],
  pieces: readonly Work<T>[],
  isCancelled: () => boolean,
): Promise<T[]> {
  const done: T[] = []
  const left = pieces.entries()
  let failure: { readonly error: unknown } | undefined
  await Promise.all(
    lanes.map(async client => {
      for (const [at, work] of left) {
        try {
          if (isCancelled()) throw new Error('the release was given up')
          if (failure === undefined) done[at] = await work(client)
        } catch (error) {
          failure ??= { error }
        }
      }
    }),
  )
  if (failure !== undefined) throw failure.error
  return done
}

/** A piece of work may have more statements after the one that is broken off. */
const CANCEL_EVERY_MS = 50

async function whileUnderWay(underWay: Promise<unknown>, work: () => Promise<void>): Promise<void> {
  let isOver = false
  const over = underWay.then(() => {
    isOver = true
  })
  while (!isOver) {
    await work()
    await Promise.race([over, pause(CANCEL_EVERY_MS)])
  }
}

/** Has the server break off what it is about over these connections. Where it cannot be told, it is waited for. */
async function cancelWork(target: Target, lanes: readonly Client[]): Promise<void> {
  const client = await connectAlone(target).catch(() => undefined)
  await client?.query('select pg_cancel_backend(id) from unnest($1::integer[]) as id', [lanes.map(idOf)])
  await client?.end().catch(() => undefined)
}

/** The server's own number of a connection, which the driver's types leave out. */
const idOf = (client: Client) => (client as Client & { readonly processID: number | null }).processID

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
