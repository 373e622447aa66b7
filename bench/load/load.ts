import { type Connection, openConnection } from './connection.ts'
import { Latencies } from './latencies.ts'

export interface LoadOptions {
  readonly port: number
  /** What is asked, in turn; each connection starts at another place. */
  readonly requests: readonly Buffer[]
  readonly connections: number
  readonly warmSeconds: number
  readonly seconds: number
  /** The measuring goes on until there are so many answers, at most ten times as long. */
  readonly leastAnswers?: number
  /** The status that every answer must have. */
  readonly status: number
  /** Called as measuring begins and as it ends. */
  readonly onMeasuring?: () => void
}

/** What came of a load. */
export interface LoadResult {
  readonly answers: number
  readonly seconds: number
  /** Answers with status 503, warm-up included: the server has more to do than it takes on. */
  readonly refused: number
  /** Answers with any other wrong status, and connections that broke, warm-up included. */
  readonly failed: number
  /** What was wrong the first time; empty if nothing was. */
  readonly firstFailure: string
  readonly p50Ms: number
  readonly p99Ms: number
}

const LONGEST = 10
const OVERLOADED = 503

/**
 * Asks as fast as the server answers: on each connection the next question follows the answer at once. Ends when the last
 * answer has come, so that the server has nothing left to do.
 */
export async function driveLoad(options: LoadOptions): Promise<LoadResult> {
  const { port, requests, connections, status, seconds, warmSeconds, leastAnswers = 0 } = options
  const latencies = new Latencies()
  let state: 'warming' | 'measuring' | 'ending' = 'warming'
  let failed = 0
  let refused = 0
  let firstFailure = ''
  let open = connections
  let allClosed = () => {}
  const closed = new Promise<void>(resolve => {
    allClosed = resolve
  })
  const fail = (reason: string) => {
    failed++
    firstFailure ||= reason
  }
  const leave = (connection: Connection) => {
    connection.close()
    if (--open === 0) allClosed()
  }

  // A load that sleeps between answers has to be woken by the server for each, which costs the slower server the most.
  const stayAwake = () => {
    if (open > 0) setImmediate(stayAwake)
  }
  stayAwake()

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
      ready: send,
      answered(given) {
        if (given === OVERLOADED && given !== status) refused++
        else if (given !== status) fail(`status ${given} to ${nameOf(asking)}`)
        if (state === 'measuring') latencies.add(performance.now() - asked)
        if (state === 'ending') leave(connection)
        else send()
      },
      failed(reason) {
        fail(reason)
        leave(connection)
      },
    })
  }

  await Promise.race([closed, pause(warmSeconds)])
  state = 'measuring'
  options.onMeasuring?.()
  const began = performance.now()
  do await Promise.race([closed, pause(seconds)])
  while (open > 0 && latencies.count < leastAnswers && performance.now() - began < LONGEST * seconds * 1000)
  const took = (performance.now() - began) / 1000
  state = 'ending'
  options.onMeasuring?.()
  await closed
  return {
    answers: latencies.count,
    seconds: took,
    refused,
    failed,
    firstFailure,
    ...latencies.percentiles(),
  }
}

/** The first line of a request, for people. */
export const nameOf = (request: Buffer | undefined) => request?.toString('latin1').split('\r\n', 1)[0] ?? ''

const pause = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))
