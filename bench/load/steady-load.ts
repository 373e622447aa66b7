import { seededRandom } from '../../demo/random.ts'
import { type Connection, openConnection } from './connection.ts'
import { Latencies } from './latencies.ts'
import { type LoadResult, nameOf } from './load.ts'

export interface SteadyLoadOptions {
  readonly port: number
  readonly requests: readonly Buffer[]
  readonly connections: number
  /** Requests a second, like those of independent consumers: at random moments (a Poisson process), the same in each run. */
  readonly rate: number
  readonly status: number
}

/** The result of a steady load. Every wrong status is a failure. */
export type SteadyResult = Omit<LoadResult, 'refused'>

/** A load that continues until it is stopped. */
export interface SteadyLoad {
  stop(): Promise<SteadyResult>
}

/**
 * Sends requests at a rate, however fast the server answers. Latency counts from the moment when a request was due, so that
 * a stalled server pays for every waiting request.
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
  // The connection that waits longest is next, so that none idles until the server closes it.
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
  // Timers are too coarse: every turn of the loop checks which requests are due.
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
