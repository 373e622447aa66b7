import { seededRandom } from '../../demo/random.ts'
import { type Connection, openConnection } from './connection.ts'
import { Latencies } from './latencies.ts'
import { type LoadResult, nameOf } from './load.ts'

export interface SteadyLoadOptions {
  readonly port: number
  readonly requests: readonly Buffer[]
  readonly connections: number
  /** Questions a second, as independent consumers ask: at random moments (a Poisson process), the same ones each time. */
  readonly rate: number
  readonly status: number
}

/** What came of it; every wrong status is a failure. */
export type SteadyResult = Omit<LoadResult, 'refused'>

/** A load that goes on until it is stopped. */
export interface SteadyLoad {
  stop(): Promise<SteadyResult>
}

/**
 * Asks at a rate, however fast the server answers. A time counts from the moment at which the question was due, so that
 * a server that stalls pays for every question that it kept waiting.
 */
export function startSteadyLoad({
  port,
  requests,
  connections,
  rate,
  status,
}: SteadyLoadOptions): SteadyLoad {
  const random = seededRandom(1, 'arrivals')
  const latencies = new Latencies()
  // The one that waits longest is next: no connection idles until the server closes it.
  const idle: ((due: number) => void)[] = []
  const waiting: number[] = []
  const open = new Set<Connection>()
  let firstWaiting = 0
  let failed = 0
  let firstFailure = ''
  let next = 0
  let stopping: (() => void) | undefined

  const fail = (reason: string) => {
    failed++
    firstFailure ||= reason
  }
  const isDone = () => open.size === 0 || (firstWaiting === waiting.length && idle.length === open.size)

  for (let i = 0; i < connections; i++) {
    let due = 0
    let asking: Buffer | undefined
    const send = (moment: number) => {
      asking = requests[next]
      next = next + 1 === requests.length ? 0 : next + 1
      due = moment
      if (asking !== undefined) connection.send(asking)
    }
    const connection = openConnection(port, {
      ready: () => idle.push(send),
      answered(given) {
        if (given !== status) fail(`status ${given} to ${nameOf(asking)}`)
        latencies.add(performance.now() - due)
        idle.push(send)
      },
      failed(reason) {
        fail(reason)
        open.delete(connection)
        const at = idle.indexOf(send)
        if (at >= 0) idle.splice(at, 1)
      },
    })
    open.add(connection)
  }

  const began = performance.now()
  let nextDue = began
  // Timers are too coarse: every turn of the loop looks what is due.
  function turn(): void {
    const now = performance.now()
    while (stopping === undefined && nextDue <= now) {
      waiting.push(nextDue)
      nextDue += (-Math.log(1 - random.next()) / rate) * 1000
    }
    while (firstWaiting < waiting.length) {
      const send = idle.shift()
      if (send === undefined) break
      send(waiting[firstWaiting++] ?? now)
    }
    if (stopping !== undefined && isDone()) stopping()
    else setImmediate(turn)
  }
  turn()

  return {
    async stop() {
      const seconds = (performance.now() - began) / 1000
      await new Promise<void>(resolve => {
        stopping = resolve
      })
      for (const connection of open) connection.close()
      return { answers: latencies.count, seconds, failed, firstFailure, ...latencies.percentiles() }
    },
  }
}
