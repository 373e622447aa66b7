import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/client.ts'

/** Connections over which the server builds one release. */
export interface WorkerConnections {
  /**
   * Runs one task per connection at a time and resolves the results in task order. Throws the first failure, once no task
   * is running.
   */
  runAll<T>(tasks: readonly Task<T>[]): Promise<T[]>
  /** Runs one task over the first connection. */
  runFirst<T>(work: Task<T>): Promise<T>
  /** Cancels the running statements and resolves once no task is running; their callers get an error. */
  cancel(): Promise<void>
  /** Ends all connections but the first. */
  end(): Promise<void>
}

export type Task<T> = (client: Client) => Promise<T>

/** Fewer rows are processed before another connection is open. */
const ROWS_FOR_TWO = 20_000

/**
 * Opens a second connection to the same server if the rows are enough to gain from it. Without a spare connection, the
 * first one does all the work.
 */
export async function openWorkerConnections(
  target: Target,
  first: Client,
  rows: number,
): Promise<WorkerConnections> {
  const same: Target = { ...target, hosts: [{ host: first.host, port: first.port }] }
  const workers = [first]
  if (rows >= ROWS_FOR_TWO) {
    const second = await connectAlone(same).catch(() => undefined)
    if (second !== undefined) workers.push(second)
  }
  for (const client of workers) await raiseMemory(client)
  let isCancelled = false
  let underWay: Promise<unknown> | undefined

  async function share<T>(over: readonly Client[], tasks: readonly Task<T>[]): Promise<T[]> {
    const shared = runTasks(over, tasks, () => isCancelled)
    underWay = shared.catch(() => undefined)
    return shared.finally(() => {
      underWay = undefined
    })
  }

  return {
    runAll: tasks => share(workers, tasks),
    async runFirst(task) {
      const [done] = await share([first], [task])
      return done as Awaited<ReturnType<typeof task>>
    },
    async cancel() {
      isCancelled = true
      // A task may have more statements after the cancelled one.
      while (underWay !== undefined) {
        await cancelStatements(same, workers)
        await Promise.race([underWay, pause(CANCEL_EVERY_MS)])
      }
    },
    async end() {
      for (const client of workers.splice(1)) await client.end().catch(() => undefined)
    },
  }
}

async function runTasks<T>(
  workers: readonly Client[],
  tasks: readonly Task<T>[],
  isCancelled: () => boolean,
): Promise<T[]> {
  const done: T[] = []
  const left = tasks.entries()
  let failure: { readonly error: unknown } | undefined
  await Promise.all(
    workers.map(async client => {
      for (const [at, work] of left) {
        try {
          if (isCancelled()) throw new Error('the release was abandoned')
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

const CANCEL_EVERY_MS = 50

/** Cancels the running statements of these connections. If that is impossible, they run to completion. */
async function cancelStatements(target: Target, workers: readonly Client[]): Promise<void> {
  const client = await connectAlone(target).catch(() => undefined)
  await client?.query('select pg_cancel_backend(id) from unnest($1::integer[]) as id', [workers.map(idOf)])
  await client?.end().catch(() => undefined)
}

/** The backend's process id of a connection, which the driver's types leave out. */
const idOf = (client: Client) => (client as Client & { readonly processID: number | null }).processID

/**
 * Sorting in memory is several times as fast, and there is one import at a time; a larger setting of the server stays.
 * Servers from version 14 on check the connection periodically, so that a long statement of a killed import ends.
 */
async function raiseMemory(client: Client): Promise<void> {
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

/** The server's units: KiB for memory, milliseconds for time. */
const KIB_A_MIB = 1024
