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
  /** Called before measuring begins and after it ended, each time while the server has nothing to do. */
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
/** A server that has answered tidies up and then sleeps; the kernel knows the processor time of a sleeping thread exactly. */
const SETTLE_SECONDS = 0.005
const OVERLOADED = 503

/**
 * Asks as fast as the server answers: on each connection the next question follows the answer at once. The connections
 * are opened before, and every answer has come before measuring begins and when it ends.
 */
export async function driveLoad(options: LoadOptions): Promise<LoadResult> {
  const { port, requests, connections, status, seconds, warmSeconds, leastAnswers = 0 } = options
  let latencies = new Latencies()
  let isAsking = false
  let failed = 0
  let refused = 0
  let firstFailure = ''
  const open = new Set<Connection>()
  // Connections that wait to be told to ask.
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

  // A load that sleeps between answers has to be woken by the server for each, which costs the slower server the most.
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

  /** Gives the seconds until the last answer has come. */
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
