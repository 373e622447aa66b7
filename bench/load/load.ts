import { type Connection, openConnection } from './connection.ts'
import { Latencies } from './latencies.ts'

export interface LoadOptions {
  readonly port: number
  /** The requests, sent in turn. Each connection starts at another request. */
  readonly requests: readonly Buffer[]
  readonly connections: number
  readonly warmSeconds: number
  readonly seconds: number
  /** Measuring continues until there are this many answers, up to ten times as long. */
  readonly leastAnswers?: number
  /** The status that every answer must have. */
  readonly status: number
  /** Called before and after measuring, both times while the server is idle. */
  readonly onMeasuring?: () => void
}

/** The result of a load. */
export interface LoadResult {
  readonly answers: number
  readonly seconds: number
  /** Answers with status 503, including the warm-up: the server refuses requests beyond its capacity. */
  readonly refused: number
  /** Answers with any other wrong status, and broken connections, including the warm-up. */
  readonly failed: number
  /** The first failure; empty without failures. */
  readonly firstFailure: string
  readonly p50Ms: number
  readonly p99Ms: number
}

const LONGEST = 10
/** After answering, a server tidies up and then sleeps. The kernel has the exact processor time of a sleeping thread. */
const SETTLE_SECONDS = 0.005
const OVERLOADED = 503

/**
 * Sends requests as fast as the server answers: on each connection the next request immediately follows the answer. The
 * connections are opened before. No answer is pending when measuring begins and when it ends.
 */
export async function driveLoad(options: LoadOptions): Promise<LoadResult> {
  const { port, requests, connections, status, seconds, warmSeconds, leastAnswers = 0 } = options
  let latencies = new Latencies()
  let isAsking = false
  let failed = 0
  let refused = 0
  let firstFailure = ''
  const open = new Set<Connection>()
  // Connections that wait before their next request.
  let waiting: (() => void)[] = []
  let allWait = () => {}
  const wait = (send?: () => void) => {
    if (send !== undefined) waiting.push(send)
    if (waiting.length >= open.size) allWait()
  }
  const quiet = () =>
    new Promise<void>(resolve => {
      allWait = resolve
      wait()
    })
  const fail = (reason: string) => {
    failed++
    firstFailure ||= reason
  }

  // The server would have to wake a sleeping load for each answer, which costs the slower server the most.
  const stayAwake = () => {
    if (open.size > 0) setImmediate(stayAwake)
  }

  for (let i = 0; i < connections; i++) {
    let next = Math.floor((i * requests.length) / connections)
    let asked = 0
    let asking: Buffer | undefined
    const send = () => {
      asking = requests[next]
      next = next + 1 === requests.length ? 0 : next + 1
      asked = performance.now()
      if (asking !== undefined) connection.send(asking)
    }
    const connection = openConnection(port, {
      ready: () => wait(send),
      answered(given) {
        if (given === OVERLOADED && given !== status) refused++
        else if (given !== status) fail(`status ${given} to ${nameOf(asking)}`)
        latencies.add(performance.now() - asked)
        if (isAsking) send()
        else wait(send)
      },
      failed(reason) {
        fail(reason)
        open.delete(connection)
        waiting = waiting.filter(other => other !== send)
        wait()
      },
    })
    open.add(connection)
  }
  stayAwake()

  /** Returns the seconds until the last answer has come. */
  async function askFor(least: number, answers = 0): Promise<number> {
    latencies = new Latencies()
    const began = performance.now()
    isAsking = true
    for (const send of waiting.splice(0)) send()
    do await pause(least)
    while (open.size > 0 && latencies.count < answers && performance.now() - began < LONGEST * least * 1000)
    isAsking = false
    await quiet()
    const took = (performance.now() - began) / 1000
    await pause(SETTLE_SECONDS)
    return took
  }

  await quiet()
  if (warmSeconds > 0) await askFor(warmSeconds)
  options.onMeasuring?.()
  const took = await askFor(seconds, leastAnswers)
  options.onMeasuring?.()
  for (const connection of open) connection.close()
  open.clear()
  return {
    ...{ answers: latencies.count, seconds: took, refused, failed, firstFailure },
    ...latencies.percentiles(),
  }
}

/** The first line of a request, for people. */
export const nameOf = (request: Buffer | undefined) => request?.toString('latin1').split('\r\n', 1)[0] ?? ''

const pause = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))
